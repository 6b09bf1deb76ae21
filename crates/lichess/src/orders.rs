//! What the operator wants: play on, finish what is running, or leave. Every wait can be cut short by it.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    Playing,
    /// No new games; those that run are played to their end.
    Finishing,
    /// Now. Games stay where they are and can be taken up again by the next start.
    Leaving,
}

/// How long waiting takes. Tests shorten all of it by one factor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pace(f64);

impl Pace {
    pub const REAL: Pace = Pace(1.0);

    /// For tests.
    pub const fn shortened(factor: f64) -> Pace {
        Pace(factor)
    }

    pub fn of(self, time: Duration) -> Duration {
        time.mul_f64(self.0)
    }
}

pub struct Orders {
    stage: Mutex<Stage>,
    changed: Condvar,
    pub pace: Pace,
}

impl Orders {
    pub fn new(pace: Pace) -> Orders {
        Orders { stage: Mutex::new(Stage::Playing), changed: Condvar::new(), pace }
    }

    pub fn stage(&self) -> Stage {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn leaving(&self) -> bool {
        self.stage() == Stage::Leaving
    }

    /// One stage further.
    pub fn press(&self) -> Stage {
        let next = match self.stage() {
            Stage::Playing => Stage::Finishing,
            Stage::Finishing | Stage::Leaving => Stage::Leaving,
        };
        self.set(next);
        next
    }

    pub fn set(&self, stage: Stage) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        self.changed.notify_all();
    }

    /// Waits at the pace of these orders; less if it is time to leave.
    pub fn rest(&self, time: Duration) {
        let end = Instant::now() + self.pace.of(time);
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        while *stage != Stage::Leaving {
            let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else {
                return;
            };
            stage = self.changed.wait_timeout(stage, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_rest_is_as_long_as_asked_unless_it_is_time_to_leave() {
        let orders = Arc::new(Orders::new(Pace::shortened(0.01)));
        let start = Instant::now();
        orders.rest(Duration::from_secs(10));
        assert!(start.elapsed() >= Duration::from_millis(100));
        let other = Arc::clone(&orders);
        let presser = std::thread::spawn(move || (other.press(), other.press()));
        orders.rest(Duration::from_secs(6000));
        assert!(start.elapsed() < Duration::from_secs(30));
        assert_eq!(presser.join().unwrap(), (Stage::Finishing, Stage::Leaving));
    }
}
