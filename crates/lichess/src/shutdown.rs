//! Whether the operator wants the bot to play on, to finish its games, or to leave. Leaving ends every wait early.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    Playing,
    /// No new games; running games are played to their end.
    Finishing,
    /// Now. Games stay as they are; the next start resumes them.
    Leaving,
}

/// A factor on every wait. Tests shorten all of them by one factor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeScale(f64);

impl TimeScale {
    pub const REAL: TimeScale = TimeScale(1.0);

    /// For tests.
    pub const fn shortened(factor: f64) -> TimeScale {
        TimeScale(factor)
    }

    pub fn apply(self, time: Duration) -> Duration {
        time.mul_f64(self.0)
    }
}

pub struct Shutdown {
    stage: Mutex<Stage>,
    changed: Condvar,
    pub scale: TimeScale,
}

impl Shutdown {
    pub fn new(scale: TimeScale) -> Shutdown {
        Shutdown { stage: Mutex::new(Stage::Playing), changed: Condvar::new(), scale }
    }

    pub fn stage(&self) -> Stage {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn leaving(&self) -> bool {
        self.stage() == Stage::Leaving
    }

    /// Goes one stage further.
    pub fn advance(&self) -> Stage {
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

    /// Waits for this time on the scale, or until the stage is [`Stage::Leaving`].
    pub fn wait(&self, time: Duration) {
        let end = Instant::now() + self.scale.apply(time);
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
    fn a_wait_lasts_its_time_unless_the_bot_leaves() {
        let shutdown = Arc::new(Shutdown::new(TimeScale::shortened(0.01)));
        let start = Instant::now();
        shutdown.wait(Duration::from_secs(10));
        assert!(start.elapsed() >= Duration::from_millis(100));
        let other = Arc::clone(&shutdown);
        let operator = std::thread::spawn(move || (other.advance(), other.advance()));
        // Ends early, or this test takes a minute.
        shutdown.wait(Duration::from_secs(6000));
        assert_eq!(operator.join().unwrap(), (Stage::Finishing, Stage::Leaving));
        assert!(shutdown.leaving());
    }
}
