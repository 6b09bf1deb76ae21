//! Games between two sides, in pairs with colours swapped: at fixed nodes, or by a clock that nodes run down.

use crate::Result;
use crate::side::Pool;
use chess::{Color, Game, Move, Outcome as Ending, Position};
use kernel::counters::Count;
use kernel::{Event, Limits, PlayClock};
use stats::score::Outcome;
use std::str::FromStr;
use std::time::Duration;

/// Both engines agree that a game is won: so many centipawns, for so many plies.
const DECIDED: (i32, i32) = (500, 6);
/// Both agree that it is drawn: after so many plies, within so many centipawns, for so many plies.
const LEVEL: (usize, i32, i32) = (60, 8, 12);
/// A game this long is drawn.
const LONGEST: usize = 400;

/// What a side may spend.
#[derive(Clone, Copy)]
pub enum Budget {
    /// So many nodes a move.
    Nodes(u64),
    /// A clock, in milliseconds, that counts nodes: the same on every machine, under any load.
    Clock { start: u64, increment: u64, nodes_per_millisecond: u64 },
}

impl FromStr for Budget {
    type Err = Box<dyn std::error::Error + Send + Sync>;

    /// `5000` are nodes a move; `8000+80@50` is a clock of 8 s and 80 ms a move at 50 nodes a millisecond.
    fn from_str(text: &str) -> Result<Self> {
        let Some((clock, rate)) = text.split_once('@') else { return Ok(Self::Nodes(text.parse()?)) };
        let (start, increment) = clock.split_once('+').ok_or("a clock is 8000+80@50")?;
        let nodes_per_millisecond = rate.parse()?;
        Ok(Self::Clock { start: start.parse()?, increment: increment.parse()?, nodes_per_millisecond })
    }
}

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(f, "{nodes}"),
            Self::Clock { start, increment, nodes_per_millisecond } => {
                write!(f, "{start}+{increment}@{nodes_per_millisecond}")
            }
        }
    }
}

/// What a side has left.
struct NodeClock {
    budget: Budget,
    /// Nodes on its clock.
    left: u64,
}

impl NodeClock {
    fn new(budget: Budget, pool: &mut Pool) -> Self {
        let left = match budget {
            Budget::Nodes(_) => 0,
            Budget::Clock { start, nodes_per_millisecond, .. } => {
                pool.settings.nodes_per_millisecond = Some(nodes_per_millisecond);
                start * nodes_per_millisecond
            }
        };
        Self { budget, left }
    }

    fn limits(&self) -> Limits {
        match self.budget {
            Budget::Nodes(nodes) => Limits::nodes(nodes),
            Budget::Clock { increment, nodes_per_millisecond, .. } => {
                let remaining = Duration::from_micros(self.left * 1000 / nodes_per_millisecond);
                let increment = Duration::from_millis(increment);
                Limits {
                    clock: Some(PlayClock { remaining, increment, moves_to_go: None }),
                    ..Limits::default()
                }
            }
        }
    }

    /// Is there anything left after a move?
    fn pay(&mut self, nodes: u64) -> bool {
        let Budget::Clock { increment, nodes_per_millisecond, .. } = self.budget else { return true };
        if nodes > self.left {
            return false;
        }
        self.left = self.left - nodes + increment * nodes_per_millisecond;
        true
    }
}

/// The opening played twice; the results of the first side.
pub fn play_pair(
    start: &Position,
    first: &mut Pool,
    second: &mut Pool,
    budget: Budget,
) -> Result<[Outcome; 2]> {
    let as_white = play(start, first, second, budget)?;
    let as_black = play(start, second, first, budget)?.reversed();
    Ok([as_white, as_black])
}

/// One game; the result of White.
fn play(start: &Position, white: &mut Pool, black: &mut Pool, budget: Budget) -> Result<Outcome> {
    white.clear();
    black.clear();
    let mut clocks = [NodeClock::new(budget, black), NodeClock::new(budget, white)];
    let mut game = Game::new(start.clone());
    let (mut decided, mut level) = (0_i32, 0);
    let result = |white_won: bool| if white_won { Outcome::Win } else { Outcome::Loss };
    for ply in 0..LONGEST {
        match game.outcome() {
            Some(Ending::Checkmate { winner }) => return Ok(result(winner == Color::White)),
            Some(_) => return Ok(Outcome::Draw),
            None => {}
        }
        let is_white = game.position().turn() == Color::White;
        let pool = if is_white { &mut *white } else { &mut *black };
        let clock_of_mover = &mut clocks[usize::from(is_white)];
        let found = pool.search(&game, &[], clock_of_mover.limits(), &mut |_: Event<'_, Move>| {});
        if !clock_of_mover.pay(pool.counters()[Count::Nodes]) {
            return Ok(result(!is_white));
        }
        game.play(found.best.ok_or("a search without a move")?)?;
        let score = if is_white { found.score.value() } else { -found.score.value() };
        decided = match score {
            _ if score > DECIDED.0 => decided.max(0) + 1,
            _ if score < -DECIDED.0 => decided.min(0) - 1,
            _ => 0,
        };
        level = if ply > LEVEL.0 && score.abs() <= LEVEL.1 { level + 1 } else { 0 };
        if decided.abs() >= DECIDED.1 {
            return Ok(result(decided > 0));
        }
        if level >= LEVEL.2 {
            return Ok(Outcome::Draw);
        }
    }
    Ok(Outcome::Draw)
}
