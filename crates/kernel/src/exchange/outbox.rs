//! Deep table entries on their way out: one box for each worker, so that workers never meet in it.

use crate::depth::Depth;
use crate::table::Entry;
#[cfg(loom)]
use loom::sync::Mutex;
use std::sync::PoisonError;
#[cfg(not(loom))]
use std::sync::{Mutex, TryLockError};

/// Entries a box holds until it is emptied; more are dropped.
const CAPACITY: usize = 4096;

/// One worker's box, alone on its cache lines.
#[repr(align(128))]
pub struct Outbox {
    least_depth: Depth,
    entries: Mutex<Vec<(u64, Entry)>>,
}

impl Outbox {
    /// An empty box for entries of at least this depth.
    pub fn new(least_depth: Depth) -> Self {
        Self { least_depth, entries: Mutex::new(Vec::with_capacity(64)) }
    }

    /// Puts in an entry that was just stored, if it is deep enough. Never waits: an entry that comes while the box is being
    /// emptied, or is full, is dropped.
    #[inline]
    pub fn offer(&self, key: u64, entry: &Entry) {
        if entry.depth >= self.least_depth {
            self.push(key, entry);
        }
    }

    #[cold]
    fn push(&self, key: u64, entry: &Entry) {
        #[cfg(not(loom))]
        let entries = match self.entries.try_lock() {
            Ok(entries) => Some(entries),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        #[cfg(loom)]
        let entries = self.entries.try_lock().ok();
        if let Some(mut entries) = entries
            && entries.len() < CAPACITY
        {
            entries.push((key, *entry));
        }
    }

    /// Moves everything to the end of `batch`.
    pub fn empty_into(&self, batch: &mut Vec<(u64, Entry)>) {
        batch.append(&mut self.entries.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry { depth: Depth::new(depth), ..Entry::default() }
    }

    #[test]
    fn only_deep_entries_go_in_and_a_full_box_drops_the_rest() {
        let outbox = Outbox::new(Depth::new(6));
        outbox.offer(1, &entry(5));
        outbox.offer(2, &entry(6));
        outbox.offer(3, &entry(20));
        let mut batch = Vec::new();
        outbox.empty_into(&mut batch);
        assert_eq!(batch.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [2, 3]);
        for key in 0..2 * CAPACITY as u64 {
            outbox.offer(key, &entry(9));
        }
        batch.clear();
        outbox.empty_into(&mut batch);
        assert_eq!(batch.len(), CAPACITY);
    }
}

/// Run with `RUSTFLAGS="--cfg loom" cargo test -p kernel --lib --release loom`.
#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;

    /// A worker puts entries in while another thread empties the box: each entry comes out once at most, in order.
    #[test]
    fn loom_no_entry_comes_out_twice() {
        loom::model(|| {
            let outbox = Arc::new(Outbox::new(Depth::ZERO));
            let worker = Arc::clone(&outbox);
            let offering = loom::thread::spawn(move || {
                for key in [1, 2] {
                    worker.offer(key, &Entry::default());
                }
            });
            let mut batch = Vec::new();
            outbox.empty_into(&mut batch);
            assert!(offering.join().is_ok());
            outbox.empty_into(&mut batch);
            let keys: Vec<u64> = batch.iter().map(|(key, _)| *key).collect();
            assert!([&[][..], &[1], &[2], &[1, 2]].contains(&&keys[..]), "{keys:?}");
        });
    }
}
