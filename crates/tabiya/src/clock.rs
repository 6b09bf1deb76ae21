//! The one place that reads the machine's clock for the engine.

use engine::Clock;
use std::sync::Arc;
use std::time::{Duration, Instant};

struct SystemClock(Instant);

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

pub fn system() -> Arc<dyn Clock> {
    Arc::new(SystemClock(Instant::now()))
}
