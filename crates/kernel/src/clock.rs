//! The clock is injected: no library below the binary reads the time of day.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A monotonic clock with an arbitrary origin.
pub trait Clock: Send + Sync {
    /// Time since the clock's origin; never decreases.
    fn now(&self) -> Duration;
}

/// A clock that moves only when told: for tests and for virtual time.
#[derive(Default, Debug)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// A clock that reads zero.
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(by.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Sets the reading, if that is later than the present one.
    pub fn advance_to(&self, to: Duration) {
        self.0.fetch_max(to.as_nanos() as u64, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}
