//! Control of a running search from outside: stop, and ponderhit.
//!
//! One value per engine, shared by the thread that reads commands and all workers. The stop latch
//! is a relaxed atomic, read often; waiting (in infinite and ponder search) sleeps on a condition
//! variable, so an engine that has nothing left to search costs nothing.

#[cfg(loom)]
use loom::sync::{
    Condvar, Mutex,
    atomic::{AtomicBool, AtomicU64},
};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
#[cfg(not(loom))]
use std::sync::{
    Condvar, Mutex,
    atomic::{AtomicBool, AtomicU64},
};
use std::time::Duration;

/// Stop and ponder state of a search.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Clock reading, in nanoseconds, at which our own clock began to run.
    released_at: AtomicU64,
    gate: Mutex<()>,
    changed: Condvar,
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

impl Control {
    /// No search running, nothing pending.
    pub fn new() -> Self {
        Self {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            released_at: AtomicU64::new(0),
            gate: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// Clears old orders for a new search that begins at `now`.
    pub fn begin(&self, now: Duration, ponder: bool) {
        self.stop.store(false, Ordering::Relaxed);
        self.pondering.store(ponder, Ordering::Relaxed);
        self.released_at.store(now.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Ends the search as soon as every worker has noticed.
    pub fn stop(&self) {
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The pondered move was played at `now`: from here on our own clock runs. Nothing changes where it runs already.
    pub fn ponder_hit(&self, now: Duration) {
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_pondering() {
            return;
        }
        self.released_at.store(now.as_nanos() as u64, Ordering::Relaxed);
        // The clock reading must be in place before anyone sees that pondering has ended.
        self.pondering.store(false, Ordering::Release);
        self.changed.notify_all();
    }

    /// Has anyone asked to stop?
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Still on the opponent's time?
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// When our own clock began to run.
    pub fn released_at(&self) -> Duration {
        Duration::from_nanos(self.released_at.load(Ordering::Relaxed))
    }

    fn is_held(&self, infinite: bool) -> bool {
        !self.is_stopped() && (infinite || self.is_pondering())
    }

    /// Sleeps until a stop, or until pondering ends when `infinite` is false.
    #[cfg(any(loom, not(target_family = "wasm")))]
    pub fn wait_for_release(&self, infinite: bool) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while self.is_held(infinite) {
            gate = self.changed.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The same in WebAssembly, for modules with threads and without. Without them nobody else can notify: the host looks for
    /// orders whenever it is asked to sleep, and calls [`Control::stop`] or [`Control::ponder_hit`] before it comes back.
    #[cfg(not(any(loom, not(target_family = "wasm"))))]
    pub fn wait_for_release(&self, infinite: bool) {
        while self.is_held(infinite) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn waiting_ends_by_the_right_order_only() {
        let control = Control::new();
        control.begin(Duration::ZERO, true);
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| control.wait_for_release(false));
            control.ponder_hit(Duration::from_millis(7));
            assert!(waiter.join().is_ok());
        });
        assert_eq!(control.released_at(), Duration::from_millis(7));
        control.ponder_hit(Duration::from_millis(9));
        assert_eq!(control.released_at(), Duration::from_millis(7), "a second one gives no more time");
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| control.wait_for_release(true));
            control.stop();
            assert!(waiter.join().is_ok());
        });
        control.begin(Duration::ZERO, false);
        assert!(!control.is_stopped());
        control.wait_for_release(false);
    }
}

/// Run with `RUSTFLAGS="--cfg loom" cargo test -p kernel --release loom`.
#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;

    /// Whoever waits is woken by a stop, whenever it comes.
    #[test]
    fn loom_no_stop_is_lost_on_one_who_waits() {
        loom::model(|| {
            let control = Arc::new(Control::new());
            let waiting = Arc::clone(&control);
            let waiter = loom::thread::spawn(move || waiting.wait_for_release(true));
            control.stop();
            waiter.join().unwrap();
            assert!(control.is_stopped());
        });
    }

    /// The end of pondering is never seen before the time at which our clock began to run.
    #[test]
    fn loom_a_ponder_hit_comes_with_its_time() {
        loom::model(|| {
            let control = Arc::new(Control::new());
            control.begin(Duration::ZERO, true);
            let seen = Arc::clone(&control);
            let worker = loom::thread::spawn(move || {
                if !seen.is_pondering() {
                    assert_eq!(seen.released_at(), Duration::from_nanos(7));
                }
            });
            control.ponder_hit(Duration::from_nanos(7));
            worker.join().unwrap();
        });
    }
}
