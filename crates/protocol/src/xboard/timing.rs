//! From `level`, `st`, `sd`, `nps` and the clocks to the limits of one search.

use super::command::Level;
use kernel::{Depth, Limits, PlayClock};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Timing {
    pub level: Level,
    pub per_move: Option<Duration>,
    pub depth: Option<u32>,
    /// Our clock as the program last told it.
    pub remaining: Option<Duration>,
}

impl Default for Timing {
    /// Five minutes for forty moves, as the protocol has it until told otherwise.
    fn default() -> Timing {
        let level = Level { moves: Some(40), base: Duration::from_secs(300), increment: Duration::ZERO };
        Timing { level, per_move: None, depth: None, remaining: None }
    }
}

impl Timing {
    /// `moves_made` are our own moves in this game.
    pub fn limits(&self, moves_made: u32, ponder: bool) -> Limits {
        let clock = PlayClock {
            remaining: self.remaining.unwrap_or(self.level.base),
            increment: self.level.increment,
            moves_to_go: self.level.moves.map(|session| session - moves_made % session),
        };
        Limits {
            depth: self.depth.map(|depth| Depth::new(depth.clamp(1, 240) as i32)),
            move_time: self.per_move,
            clock: self.per_move.is_none().then_some(clock),
            ponder,
            ..Limits::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_to_go_count_down_and_begin_again() {
        let timing = Timing::default();
        let to_go = |made| timing.limits(made, false).clock.unwrap().moves_to_go;
        assert_eq!((to_go(0), to_go(39), to_go(40)), (Some(40), Some(1), Some(40)));
    }

    #[test]
    fn a_fixed_time_replaces_the_clock() {
        let timing = Timing { per_move: Some(Duration::from_secs(2)), ..Timing::default() };
        let limits = timing.limits(0, false);
        assert_eq!((limits.move_time, limits.clock), (Some(Duration::from_secs(2)), None));
    }
}
