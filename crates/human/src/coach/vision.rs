//! How deep one must look to see that a move is bad.

use crate::oracle::{Line, Oracle, Question, Stopped};
use chess::{Game, Move};

/// Depths that are tried: a glance, one's own move, the reply, and on.
const DEPTHS: [i32; 7] = [1, 2, 3, 4, 6, 8, 10];
const NODES: u64 = 200_000;

/// The shallowest depth from which on the better move looks better by at least half of what it really is; `None` when
/// no depth tried shows it.
pub fn seen_at(
    game: &Game,
    better: Move,
    played: Move,
    loss: f64,
    oracle: &mut dyn Oracle,
) -> Result<Option<u32>, Stopped> {
    let mut seen = None;
    let moves = [better, played];
    for depth in DEPTHS {
        let question = Question { depth: Some(depth), ..Question::each(game, &moves, NODES) };
        let lines = oracle.ask(&question)?;
        let worth = |mv: Move| lines.iter().find(|line| line.mv == mv).map(Line::expected);
        let (Some(good), Some(bad)) = (worth(better), worth(played)) else { continue };
        if good.loss_to(bad) < loss / 2.0 {
            seen = None;
        } else if seen.is_none() {
            seen = Some(depth as u32);
        }
    }
    Ok(seen)
}

/// In words, as the report says it.
pub const fn words(depth: Option<u32>) -> &'static str {
    match depth {
        Some(..=1) => "at a glance",
        Some(2) => "by looking at the reply",
        Some(3..=4) => "two moves deep",
        Some(5..=6) => "three moves deep",
        Some(_) => "four moves deep or more",
        None => "only by long calculation",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::CrewOracle;
    use chess::Position;
    use kernel::clock::ManualClock;
    use std::sync::Arc;

    #[test]
    fn a_hanging_queen_is_seen_at_once() {
        let mut oracle = CrewOracle::new(1, Arc::new(ManualClock::new())).unwrap();
        let game = Game::new(Position::from_fen("4k3/8/5p2/8/8/8/6Q1/4K3 w - - 0 1").unwrap());
        let mv = |text: &str| game.position().parse_uci(text).unwrap();
        let seen = seen_at(&game, mv("g2e2"), mv("g2g5"), 0.4, &mut oracle).unwrap();
        assert!(seen.is_some_and(|depth| depth <= 2), "{seen:?}");
    }
}
