//! Time that the host of a virtual machine took away from it: nobody thinks in it, and every clock counts it.

use std::time::Duration;

/// What each core has lost to the host since the machine was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stolen {
    cores: Vec<Duration>,
}

/// The kernel's unit in `/proc/stat`, a hundredth of a second whatever its own clock is.
const TICK: Duration = Duration::from_millis(10);

impl Stolen {
    /// What was lost so far; `None` where the system does not tell.
    pub fn read() -> Option<Self> {
        Self::parse(&std::fs::read_to_string("/proc/stat").ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let is_core =
            |name: &str| name.strip_prefix("cpu").is_some_and(|number| number.parse::<u32>().is_ok());
        let mut cores = Vec::new();
        for line in text.lines() {
            let mut words = line.split_ascii_whitespace();
            if words.next().is_some_and(is_core) {
                // user, nice, system, idle, iowait, irq, softirq: the eighth is what was stolen.
                cores.push(TICK * words.nth(7)?.parse().ok()?);
            }
        }
        (!cores.is_empty()).then_some(Self { cores })
    }

    /// The longest that any one core was away since then: no thread was held up for longer.
    pub fn longest_since(&self, earlier: &Self) -> Duration {
        self.lost_since(earlier).max().unwrap_or_default()
    }

    /// The share of all cores' time that was lost in the meantime.
    pub fn share_since(&self, earlier: &Self, elapsed: Duration) -> f64 {
        let lost: Duration = self.lost_since(earlier).sum();
        lost.as_secs_f64() / (elapsed.as_secs_f64() * self.cores.len() as f64).max(f64::MIN_POSITIVE)
    }

    fn lost_since<'a>(&'a self, earlier: &'a Self) -> impl Iterator<Item = Duration> + 'a {
        self.cores.iter().zip(&earlier.cores).map(|(now, before)| now.saturating_sub(*before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str =
        "cpu  9 8 7 6 5 4 3 35 0 0\ncpu0 1 2 3 4 5 6 7 10 0 0\ncpu1 1 2 3 4 5 6 7 25 0 0\nintr 5 6\n";
    const AFTER: &str =
        "cpu  9 8 7 6 5 4 3 55 0 0\ncpu0 1 2 3 4 5 6 7 27 0 0\ncpu1 1 2 3 4 5 6 7 28 0 0\nintr 5 6\n";

    #[test]
    fn the_longest_absence_of_one_core_and_the_share_of_all() {
        let (before, after) = (Stolen::parse(BEFORE).unwrap(), Stolen::parse(AFTER).unwrap());
        assert_eq!(after.longest_since(&before), Duration::from_millis(170));
        assert!((after.share_since(&before, Duration::from_secs(1)) - 0.1).abs() < 1e-9);
        assert_eq!(before.longest_since(&after), Duration::ZERO, "a counter that goes back steals nothing");
    }

    #[test]
    fn a_system_that_does_not_tell() {
        for text in ["", "intr 1 2", "cpu  1 2 3", "cpu0 1 2 3", "cpu0 1 2 3 4 5 6 7 x"] {
            assert_eq!(Stolen::parse(text), None, "{text}");
        }
    }
}
