//! One lock for each set of entries, to compare with the lock-free table; never in play.

use std::sync::atomic::{AtomicBool, Ordering};

/// A lock for every set.
pub(super) struct SetLocks(Box<[AtomicBool]>);

/// While this lives, nobody else may touch the set.
pub struct SetGuard<'a>(&'a AtomicBool);

impl SetLocks {
    pub(super) fn new(sets: usize) -> Self {
        Self((0..sets).map(|_| AtomicBool::new(false)).collect())
    }

    /// Waits for a set. Holders do a few loads and stores, so waiting is spinning; on a machine with more workers than
    /// cores the holder may be asleep, so the rest of the turn is given away too.
    pub(super) fn lock(&self, set: usize) -> SetGuard<'_> {
        let lock = &self.0[set];
        while lock.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::hint::spin_loop();
            std::thread::yield_now();
        }
        SetGuard(lock)
    }
}

impl Drop for SetGuard<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn a_set_has_one_holder_at_a_time_and_sets_do_not_wait_for_each_other() {
        let locks = SetLocks::new(2);
        let other = locks.lock(1);
        let inside = AtomicU32::new(0);
        let rounds = if cfg!(miri) { 20 } else { 5_000 };
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..rounds {
                        let held = locks.lock(0);
                        assert_eq!(inside.fetch_add(1, Ordering::Relaxed), 0);
                        inside.fetch_sub(1, Ordering::Relaxed);
                        drop(held);
                    }
                });
            }
        });
        drop(other);
        drop(locks.lock(1));
    }
}
