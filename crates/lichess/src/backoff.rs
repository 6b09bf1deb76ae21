//! Exponential back-off: 1 second, then twice as long each time, up to 60 seconds.

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug)]
pub struct Backoff(Duration);

impl Backoff {
    pub const fn new() -> Backoff {
        Backoff(FIRST)
    }

    pub fn next(&mut self) -> Duration {
        let now = self.0;
        self.0 = (now * 2).min(LONGEST);
        now
    }

    pub fn reset(&mut self) {
        self.0 = FIRST;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_up_to_a_minute() {
        let mut backoff = Backoff::new();
        let seconds: Vec<u64> = (0..8).map(|_| backoff.next().as_secs()).collect();
        assert_eq!(seconds, [1, 2, 4, 8, 16, 32, 60, 60]);
        backoff.reset();
        assert_eq!(backoff.next().as_secs(), 1);
    }
}
