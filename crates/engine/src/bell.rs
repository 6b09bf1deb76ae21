//! A bell that `stop` rings: it stays rung, and a waiter hears it at once.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

#[derive(Default, Debug)]
pub(crate) struct Bell {
    rung: Mutex<bool>,
    changed: Condvar,
}

impl Bell {
    pub fn ring(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    pub fn reset(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = false;
    }

    pub fn is_rung(&self) -> bool {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps so long, or until the bell is rung.
    pub fn wait(&self, time: Duration) {
        let rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.changed.wait_timeout_while(rung, time, |rung| !*rung);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_ring_ends_the_wait_and_is_not_lost() {
        let bell = Bell::default();
        bell.ring();
        let began = Instant::now();
        bell.wait(Duration::from_secs(60));
        assert!(began.elapsed() < Duration::from_secs(30));
        bell.reset();
        assert!(!bell.is_rung());
        bell.wait(Duration::from_millis(1));
    }
}
