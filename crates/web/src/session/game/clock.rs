//! The two clocks of a game. Neither runs before both sides have moved.

use crate::messages::{ClockSettings, Clocks};
use chess::Color;
use kernel::PlayClock;
use std::time::{Duration, Instant};

pub struct ChessClock {
    left: [Duration; 2],
    increment: [Duration; 2],
    /// Whose clock runs, and since when.
    running: Option<(Color, Instant)>,
}

impl ChessClock {
    pub fn new(white: ClockSettings, black: ClockSettings) -> ChessClock {
        let seconds = |n: u32| Duration::from_secs(u64::from(n));
        ChessClock {
            left: [seconds(white.seconds), seconds(black.seconds)],
            increment: [seconds(white.increment), seconds(black.increment)],
            running: None,
        }
    }

    /// Continues with saved times.
    pub fn set(&mut self, clocks: Clocks) {
        self.left = [clocks.white, clocks.black].map(|left| Duration::from_millis(u64::from(left)));
    }

    pub fn left(&self, side: Color, now: Instant) -> Duration {
        let used = match self.running {
            Some((running, since)) if running == side => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        };
        self.left[side as usize].saturating_sub(used)
    }

    pub fn start(&mut self, side: Color, now: Instant) {
        self.pause(now);
        self.running = Some((side, now));
    }

    pub fn pause(&mut self, now: Instant) {
        if let Some((side, _)) = self.running {
            self.left[side as usize] = self.left(side, now);
            self.running = None;
        }
    }

    /// After a move on a running clock.
    pub fn press(&mut self, side: Color, now: Instant) {
        if self.running.is_some_and(|(running, _)| running == side) {
            self.pause(now);
            self.left[side as usize] += self.increment[side as usize];
        }
    }

    /// Whose flag falls, and when.
    pub fn flag(&self) -> Option<(Color, Instant)> {
        self.running.map(|(side, since)| (side, since + self.left[side as usize]))
    }

    pub fn remaining(&self, now: Instant) -> Clocks {
        let left = |side| self.left(side, now).as_millis().min(u128::from(u32::MAX)) as u32;
        Clocks { white: left(Color::White), black: left(Color::Black) }
    }

    pub fn for_engine(&self, side: Color, now: Instant) -> PlayClock {
        PlayClock {
            remaining: self.left(side, now),
            increment: self.increment[side as usize],
            moves_to_go: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_for_one_side_at_a_time() {
        let five = ClockSettings { seconds: 300, increment: 3 };
        let mut clock = ChessClock::new(five, ClockSettings { seconds: 60, increment: 0 });
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(clock.flag(), None);
        clock.start(Color::White, start);
        assert_eq!(clock.flag(), Some((Color::White, after(300))));
        clock.press(Color::White, after(10));
        assert_eq!(clock.remaining(after(50)), Clocks { white: 293_000, black: 60_000 });
        clock.start(Color::Black, after(50));
        assert_eq!(clock.left(Color::Black, after(70)), Duration::from_secs(40));
        assert_eq!(clock.left(Color::White, after(70)), Duration::from_secs(293));
        clock.pause(after(80));
        assert_eq!(clock.remaining(after(1000)).black, 30_000);
    }
}
