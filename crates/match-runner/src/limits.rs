//! How long a player may think: time controls as people write them, and the clock of a running game.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A game clock: `[moves/]base[+increment]`, in seconds or `minutes:seconds`, as in `40/60`, `8+0.08`, `5:00+3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves per period; `None` is one period for the whole game.
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("time control '{text}': expected [moves/]seconds[+increment], as in 40/60 or 8+0.08");
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves = moves.trim().parse::<u32>().map_err(|_| wrong())?;
                // 0/180 is how some write a control for the whole game.
                ((moves > 0).then_some(moves), rest)
            }
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base = seconds(base).ok_or_else(wrong)?;
        let increment = seconds(increment).ok_or_else(wrong)?;
        if base.is_zero() && increment.is_zero() {
            return Err(format!("time control '{text}' gives no time at all"));
        }
        Ok(Self { moves, base, increment })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

/// Seconds, or minutes and seconds, as a duration.
pub fn seconds(text: &str) -> Option<Duration> {
    let (minutes, seconds) = match text.trim().split_once(':') {
        Some((minutes, seconds)) => (f64::from(minutes.parse::<u32>().ok()?), seconds),
        None => (0.0, text.trim()),
    };
    let seconds: f64 = seconds.parse().ok()?;
    let total = minutes * 60.0 + seconds;
    // A year is longer than any game and short enough to add up safely.
    (seconds >= 0.0 && total <= 31_536_000.0).then(|| Duration::from_secs_f64(total))
}

/// Everything that bounds one player's thinking. At least one bound is set; several may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub clock: Option<TimeControl>,
    pub movetime: Option<Duration>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// How far the clock may be overstepped before the game is lost. Zero unless asked for.
    pub margin: Duration,
}

impl Limits {
    /// Whether anything bounds the thinking.
    pub fn is_bounded(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some() || self.depth.is_some() || self.nodes.is_some()
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        words.extend(self.clock.map(|clock| clock.to_string()));
        words.extend(self.movetime.map(|time| format!("{} s/move", time.as_secs_f64())));
        words.extend(self.depth.map(|depth| format!("depth {depth}")));
        words.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        if words.is_empty() { write!(f, "unlimited") } else { write!(f, "{}", words.join(", ")) }
    }
}

/// One side's clock during a game.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    limits: Limits,
    remaining: Duration,
    moves_to_go: Option<u32>,
}

/// The clock fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// How much more time was used than there was.
    pub over: Duration,
}

impl Clock {
    /// A clock wound up for the first move.
    pub fn new(limits: Limits) -> Self {
        let remaining = limits.clock.map_or(Duration::ZERO, |clock| clock.base + clock.increment);
        Self { limits, remaining, moves_to_go: limits.clock.and_then(|clock| clock.moves) }
    }

    /// The limits this clock keeps.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Time left in the period; `None` without a game clock.
    pub fn remaining(&self) -> Option<Duration> {
        self.limits.clock.map(|_| self.remaining)
    }

    /// The increment, zero without one.
    pub fn increment(&self) -> Duration {
        self.limits.clock.map_or(Duration::ZERO, |clock| clock.increment)
    }

    /// Moves to the next period.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// The time after which this move loses, margin not included; `None` when thinking is not timed.
    pub fn allowance(&self) -> Option<Duration> {
        match (self.remaining(), self.limits.movetime) {
            (Some(clock), Some(movetime)) => Some(clock.min(movetime)),
            (clock, movetime) => clock.or(movetime),
        }
    }

    /// Charges a move.
    pub fn charge(&mut self, used: Duration) -> Result<(), Flag> {
        if let Some(allowance) = self.allowance()
            && used > allowance + self.limits.margin
        {
            return Err(Flag { over: used.saturating_sub(allowance) });
        }
        if let Some(control) = self.limits.clock {
            self.remaining = self.remaining.saturating_sub(used) + control.increment;
            if let (Some(to_go), Some(moves)) = (self.moves_to_go.as_mut(), control.moves) {
                *to_go -= 1;
                if *to_go == 0 {
                    *to_go = moves;
                    self.remaining += control.base;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().unwrap()
    }

    fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn controls_as_people_write_them() {
        assert_eq!(
            control("8+0.08"),
            TimeControl { moves: None, base: milliseconds(8000), increment: milliseconds(80) }
        );
        assert_eq!(control("40/60").moves, Some(40));
        assert_eq!(
            control("0/180"),
            TimeControl { moves: None, base: milliseconds(180_000), increment: Duration::ZERO }
        );
        assert_eq!(control("5:30+2").base, milliseconds(330_000));
        assert_eq!(control("40/1:00+0.5").to_string(), "40/60+0.5");
        for wrong in ["", "fast", "8+", "-3", "x/5", "0", "0+0", "1e99"] {
            assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn increment_is_added_after_each_move_and_the_first_has_one_too() {
        let mut clock = Clock::new(Limits { clock: Some(control("1+0.1")), ..Limits::default() });
        assert_eq!(clock.remaining(), Some(milliseconds(1100)));
        clock.charge(milliseconds(300)).unwrap();
        assert_eq!(clock.remaining(), Some(milliseconds(900)));
    }

    #[test]
    fn a_new_period_brings_new_time() {
        let mut clock = Clock::new(Limits { clock: Some(control("2/1")), ..Limits::default() });
        clock.charge(milliseconds(400)).unwrap();
        assert_eq!((clock.remaining(), clock.moves_to_go()), (Some(milliseconds(600)), Some(1)));
        clock.charge(milliseconds(600)).unwrap();
        assert_eq!((clock.remaining(), clock.moves_to_go()), (Some(milliseconds(1000)), Some(2)));
    }

    #[test]
    fn the_flag_falls_one_tick_after_the_allowance() {
        let mut clock = Clock::new(Limits { clock: Some(control("1")), ..Limits::default() });
        assert_eq!(clock.charge(milliseconds(1001)), Err(Flag { over: milliseconds(1) }));
        let mut kind =
            Clock::new(Limits { clock: Some(control("1")), margin: milliseconds(20), ..Limits::default() });
        assert_eq!(kind.charge(milliseconds(1020)), Ok(()));
        assert_eq!(kind.remaining(), Some(Duration::ZERO));
    }

    #[test]
    fn untimed_thinking_never_flags() {
        let mut clock = Clock::new(Limits { nodes: Some(1000), ..Limits::default() });
        assert_eq!(clock.allowance(), None);
        assert_eq!(clock.charge(Duration::from_secs(3600)), Ok(()));
    }
}
