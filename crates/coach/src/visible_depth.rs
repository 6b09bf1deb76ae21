//! The search depth at which an error becomes visible.

use chess::{Game, Move};
use human_model::oracle::{Line, Oracle, PoolOracle, Question};
use kernel::clock::ManualClock;
use std::sync::Arc;

/// Depths that are tried.
const DEPTHS: [i32; 7] = [1, 2, 3, 4, 6, 8, 10];
const NODES: u64 = 200_000;

/// Megabytes of an own transposition table: entries of deeper searches would show every error at depth 1.
const TABLE: usize = 1;

/// The shallowest depth from which on the better move looks better by at least half of what it really is; `None` when
/// no depth tried shows it.
pub fn seen_at(game: &Game, better: Move, played: Move, loss: f64) -> Option<u32> {
    let mut oracle =
        PoolOracle::new(TABLE, Arc::new(ManualClock::new()), &eval::Evaluation::shipped()).ok()?;
    let mut seen = None;
    let moves = [better, played];
    for depth in DEPTHS {
        let question = Question { depth: Some(depth), ..Question::each(game, &moves, NODES) };
        let lines = oracle.ask(&question).ok()?;
        let worth = |mv: Move| lines.iter().find(|line| line.mv == mv).map(Line::expected);
        let (Some(good), Some(bad)) = (worth(better), worth(played)) else { continue };
        if good.loss_to(bad) < loss / 2.0 {
            seen = None;
        } else if seen.is_none() {
            seen = Some(depth as u32);
        }
    }
    seen
}

/// In words, as the report says it.
pub const fn words(depth: Option<u32>) -> &'static str {
    match depth {
        Some(..=1) => "Easy to spot",
        Some(2) => "Easy to spot: look at the reply",
        Some(3..=4) => "Needs 2 moves of calculation",
        Some(5..=6) => "Needs 3 moves of calculation",
        Some(_) => "Needs 4+ moves of calculation",
        None => "Needs long calculation",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn seen(fen: &str, better: &str, played: &str, loss: f64) -> Option<u32> {
        let game = Game::new(Position::from_fen(fen).unwrap());
        let mv = |text: &str| game.position().parse_uci(text).unwrap();
        seen_at(&game, mv(better), mv(played), loss)
    }

    #[test]
    fn a_hanging_queen_is_seen_at_once() {
        let depth = seen("4k3/8/5p2/8/8/8/6Q1/4K3 w - - 0 1", "g2e2", "g2g5", 0.4);
        assert!(depth.is_some_and(|depth| depth <= 2), "{depth:?}");
    }

    #[test]
    fn a_poisoned_queen_is_not() {
        // Legal's mate: taking the queen looks good until one sees the mate behind it.
        let before = "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5";
        let depth = seen(before, "d6e5", "g4d1", 0.6);
        assert!(depth.is_none_or(|depth| depth > 2), "{depth:?}");
    }
}
