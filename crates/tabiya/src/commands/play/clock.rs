//! Two clocks at a terminal. A player's flag is checked when the player enters something.

use chess::Color;
use kernel::PlayClock;
use std::time::Duration;

/// Minutes at the start, seconds for each move: `5+3`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    pub start: Duration,
    pub increment: Duration,
}

impl TimeControl {
    /// Up to three hours and three minutes a move.
    pub fn parse(text: &str) -> Option<TimeControl> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let minutes: f64 = minutes.trim().parse().ok().filter(|minutes| (0.1..=180.0).contains(minutes))?;
        let seconds: f64 = seconds.trim().parse().ok().filter(|seconds| (0.0..=180.0).contains(seconds))?;
        Some(TimeControl {
            start: Duration::from_secs_f64(minutes * 60.0),
            increment: Duration::from_secs_f64(seconds),
        })
    }
}

#[derive(Clone, Debug)]
pub struct Clocks {
    control: TimeControl,
    left: [Duration; 2],
}

impl Clocks {
    pub fn new(control: TimeControl) -> Clocks {
        Clocks { control, left: [control.start; 2] }
    }

    pub fn left(&self, side: Color) -> Duration {
        self.left[side.index()]
    }

    /// Takes what a move took; whether the flag stands.
    pub fn press(&mut self, side: Color, took: Duration) -> bool {
        let left = &mut self.left[side.index()];
        let stands = took < *left;
        *left = left.saturating_sub(took) + if stands { self.control.increment } else { Duration::ZERO };
        stands
    }

    /// Takes time that led to no move; whether the flag stands.
    pub fn spend(&mut self, side: Color, took: Duration) -> bool {
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(took);
        !left.is_zero()
    }

    pub fn for_engine(&self, side: Color) -> PlayClock {
        PlayClock { remaining: self.left(side), increment: self.control.increment, moves_to_go: None }
    }

    /// `4:05`, with tenths in the last twenty seconds.
    pub fn text(left: Duration) -> String {
        let seconds = left.as_secs();
        if left < Duration::from_secs(20) {
            return format!("{}.{}", seconds, left.subsec_millis() / 100);
        }
        match seconds / 3600 {
            0 => format!("{}:{:02}", seconds / 60, seconds % 60),
            hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_as_people_write_them() {
        let blitz = TimeControl { start: Duration::from_secs(300), increment: Duration::from_secs(3) };
        assert_eq!(TimeControl::parse("5+3"), Some(blitz));
        assert_eq!(TimeControl::parse("0.5").map(|control| control.start.as_secs()), Some(30));
        for text in ["", "x", "5+", "0", "181", "5+181", "-1+0", "5+3+1", "NaN"] {
            assert_eq!(TimeControl::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_move_costs_its_time_and_gains_the_increment_while_the_flag_stands() {
        let mut clocks = Clocks::new(TimeControl::parse("1+2").unwrap());
        assert!(clocks.press(Color::White, Duration::from_secs(10)));
        assert_eq!(Clocks::text(clocks.left(Color::White)), "0:52");
        assert!(!clocks.press(Color::White, Duration::from_secs(60)));
        assert_eq!(Clocks::text(clocks.left(Color::White)), "0.0");
        assert_eq!(Clocks::text(clocks.left(Color::Black)), "1:00");
        assert_eq!(Clocks::text(Duration::from_secs(3725)), "1:02:05");
    }
}
