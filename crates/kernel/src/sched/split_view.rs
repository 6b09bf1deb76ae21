//! The window and the best score of a shared node, read without its lock.
//!
//! Both change only under the lock, and only upwards. So a worker that reads an old value is told less than is known, never
//! something false: a score that does not beat an old best does not beat the present one.

use crate::score::Score;
use crate::window::Window;
#[cfg(loom)]
use loom::sync::atomic::AtomicU64;
#[cfg(not(loom))]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Release};

/// alpha 16 | beta 16 | best score 16 | is there one 1
pub(super) struct SplitView(AtomicU64);

const HAS_SCORE: u64 = 1 << 48;

impl SplitView {
    pub fn new() -> Self {
        let view = Self(AtomicU64::new(0));
        view.set(Window::FULL, None);
        view
    }

    /// Called under the node's lock, or before anybody else knows the node.
    pub fn set(&self, window: Window, score: Option<Score>) {
        let bits = |score: Score| u64::from(score.value() as u16);
        let best = score.map_or(0, |score| bits(score) << 32 | HAS_SCORE);
        self.0.store(bits(window.alpha()) | bits(window.beta()) << 16 | best, Release);
    }

    pub fn get(&self) -> (Window, Option<Score>) {
        let word = self.0.load(Acquire);
        let score = |shift: u32| Score::from_value((word >> shift) as u16 as i16);
        let window = Window::new(score(0), score(16));
        (window, (word & HAS_SCORE != 0).then(|| score(32)))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn every_score_is_read_as_it_was_set() {
        let view = SplitView::new();
        let scores = [
            -Score::INFINITY,
            Score::mated_in(3),
            Score::table_loss(9),
            Score::centipawns(-1),
            Score::ZERO,
            Score::centipawns(777),
            Score::mate_in(5),
            Score::INFINITY,
        ];
        for pair in scores.windows(2) {
            let window = Window::new(pair[0], pair[1]);
            for score in scores.map(Some).into_iter().chain([None]) {
                view.set(window, score);
                assert_eq!(view.get(), (window, score));
            }
        }
    }
}
