//! Time that the threads of an engine were ready to run and had no core, because other programs had it.

use std::collections::HashMap;
use std::time::Duration;

/// What each thread of a process has waited since it was started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreWait {
    threads: HashMap<String, Duration>,
}

impl CoreWait {
    /// What the threads have waited so far; `None` where the system does not tell.
    pub fn read(process: u32) -> Option<Self> {
        let mut threads = HashMap::new();
        for entry in std::fs::read_dir(format!("/proc/{process}/task")).ok()?.map_while(Result::ok) {
            // A thread may end between the two readings.
            if let Ok(text) = std::fs::read_to_string(entry.path().join("schedstat"))
                && let Some(waited) = parse(&text)
            {
                threads.insert(entry.file_name().to_string_lossy().into_owned(), waited);
            }
        }
        (!threads.is_empty()).then_some(Self { threads })
    }

    /// The longest that any one thread waited since then.
    pub fn longest_since(&self, earlier: &Self) -> Duration {
        let since = |(thread, waited): (&String, &Duration)| {
            waited.saturating_sub(earlier.threads.get(thread).copied().unwrap_or_default())
        };
        self.threads.iter().map(since).max().unwrap_or_default()
    }
}

/// Nanoseconds on a core, nanoseconds waiting for one, time slices.
fn parse(text: &str) -> Option<Duration> {
    Some(Duration::from_nanos(text.split_ascii_whitespace().nth(1)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_number_is_the_waiting() {
        assert_eq!(parse("10 2000000 3\n"), Some(Duration::from_millis(2)));
        for text in ["", "10", "10 x 3"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_longest_wait_of_one_thread_counts() {
        let waits = |threads: &[(&str, u64)]| CoreWait {
            threads: threads
                .iter()
                .map(|&(thread, waited)| (thread.to_owned(), Duration::from_millis(waited)))
                .collect(),
        };
        let (before, after) = (waits(&[("1", 100), ("2", 40)]), waits(&[("1", 110), ("2", 90), ("3", 20)]));
        assert_eq!(after.longest_since(&before), Duration::from_millis(50));
        assert_eq!(before.longest_since(&after), Duration::ZERO);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_is_gone_tells_nothing() {
        assert_eq!(CoreWait::read(u32::MAX), None);
    }
}
