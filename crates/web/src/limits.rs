//! Limits on what a page may use: safety rule 7, in one place.

use std::time::Duration;

/// Bytes of an uploaded file of games, which is read while it arrives.
pub const UPLOAD: usize = 200_000_000;
/// Bytes of a study.
pub const PGN: usize = 5_000_000;
/// Games of one upload that are listed and kept; the rest of the file is ignored.
pub const PGN_GAMES: usize = 5_000;
/// Games that one import adds to the player's own games.
pub const OWN_GAMES: usize = 50_000;
/// Bytes of a small request: a filter, the settings of an experiment.
pub const SMALL: usize = 16 << 10;
/// Studies that are kept.
pub const STUDIES: usize = 1_000;
/// Letters of a FEN.
pub const FEN: usize = 120;
/// Moves of a line.
pub const MOVES: usize = 2048;
/// Bytes of a message on a socket.
pub const MESSAGE: usize = 64 << 10;
/// Tabs open at one time.
pub const SOCKETS: usize = 8;
/// Messages a second; a burst of as many may come at once.
pub const MESSAGES_PER_SECOND: u32 = 20;
/// Letters of anything a person types: a move, a search in the list of games.
pub const WORDS: usize = 100;
/// Best lines of an analysis.
pub const LINES: u8 = 5;
/// Thousands of nodes for a move of a review.
pub const KILONODES: u32 = 20_000;
/// Thousands of nodes for a position of the coach; errors get 4 times as many. A closed tab ends the coach after
/// the search that runs, so this bounds how long that takes.
pub const COACH_KILONODES: u32 = 100;
/// The longest clock: three hours.
pub const CLOCK_SECONDS: u32 = 3 * 3600;
/// Connections open at one time, upgraded sockets not included.
pub const CONNECTIONS: usize = 64;

/// Time limits. Tests shorten them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// For the head of a request, and for a connection without a request.
    pub head: Duration,
    /// For the body of a request.
    pub body: Duration,
    /// For a connection: then its request may take as long again, and no other begins.
    pub connection: Duration,
    /// A page that sends nothing or reads nothing for so long is gone; pages answer pings by themselves.
    pub silence: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            head: Duration::from_secs(10),
            body: Duration::from_secs(60),
            connection: Duration::from_secs(120),
            silence: Duration::from_secs(60),
        }
    }
}

/// What one tab may use of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    pub threads: u16,
    pub hash_megabytes: u32,
}

impl Machine {
    pub fn detect() -> Machine {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(1024) as u16;
        let memory = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_megabytes(&text));
        Machine::with(threads, memory)
    }

    /// Two engines for each of 8 tabs share half of the memory; where its size is unknown, 1 GB is assumed.
    pub fn with(threads: u16, memory_megabytes: Option<u64>) -> Machine {
        let share = memory_megabytes.unwrap_or(1024) / 2 / (2 * SOCKETS as u64);
        Machine { threads, hash_megabytes: share.clamp(16, 4096) as u32 }
    }

    pub fn threads(self, wanted: u16) -> u16 {
        wanted.clamp(1, self.threads)
    }

    pub fn hash(self, wanted: u32) -> u32 {
        wanted.clamp(1, self.hash_megabytes)
    }
}

fn total_megabytes(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_caps_threads_and_memory() {
        let memory = total_megabytes("MemTotal:       16384000 kB\nMemFree: 1 kB\n");
        assert_eq!(memory, Some(16_000));
        let machine = Machine::with(4, memory);
        assert_eq!((machine.threads(1000), machine.threads(0), machine.threads(2)), (4, 1, 2));
        assert_eq!((machine.hash(1 << 30), machine.hash(0), machine.hash(64)), (500, 1, 64));
    }
}
