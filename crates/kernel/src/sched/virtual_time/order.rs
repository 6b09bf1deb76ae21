//! Whose turn it is: always the worker whose clock is furthest behind.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Default)]
pub(super) struct Order(BinaryHeap<Reverse<(u64, usize)>>);

impl Order {
    /// The worker waits, at this time.
    pub fn queue(&mut self, worker: usize, clock: u64) {
        self.0.push(Reverse((clock, worker)));
    }

    /// Takes out the worker furthest behind; of equals, the first.
    pub fn next(&mut self) -> Option<usize> {
        self.0.pop().map(|Reverse((_, worker))| worker)
    }
}
