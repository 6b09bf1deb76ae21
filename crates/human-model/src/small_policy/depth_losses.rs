//! What moves seem to lose, by search depth.

use crate::expected::Expected;
use crate::oracle::{Line, Oracle, Question, Stopped};
use chess::{Game, Move, Position};
use eval::{Centipawns, EvalTerms, Evaluation, Evaluator};
use kernel::Kind;

/// Search depths. Depth 0 is the static evaluation after the move with the exchange on its square (SEE).
pub const DEPTHS: [i32; 5] = [0, 1, 2, 4, 6];

/// Node limit of one search: positions in which every move is a check would take too long.
const MOST_NODES: u64 = 60_000;

/// For each move of a list: the expected points it seems to give away at each depth, beside the best move at that depth.
#[derive(Clone, PartialEq, Debug)]
pub struct DepthLosses {
    pub losses: Vec<[f32; DEPTHS.len()]>,
    /// What the best move seems to be worth at each depth.
    pub best: [f32; DEPTHS.len()],
    /// Depths searched; the values beyond repeat the last of them.
    pub known: usize,
}

impl DepthLosses {
    /// Depth 0 alone: no search.
    pub fn static_only(position: &Position, moves: &[Move], evaluator: &mut Evaluator) -> DepthLosses {
        let worths: Vec<f32> = moves.iter().map(|mv| at_rest(position, *mv, evaluator)).collect();
        let best = worths.iter().copied().fold(0.0, f32::max);
        let losses = worths.iter().map(|worth| [best - worth; DEPTHS.len()]).collect();
        DepthLosses { losses, best: [best; DEPTHS.len()], known: 1 }
    }

    /// All depths. The transposition table of the oracle must be empty: entries of deeper searches would leak in.
    pub fn search(
        game: &Game,
        moves: &[Move],
        evaluator: &mut Evaluator,
        oracle: &mut dyn Oracle,
    ) -> Result<DepthLosses, Stopped> {
        let mut depth_losses = DepthLosses::static_only(game.position(), moves, evaluator);
        for (index, depth) in DEPTHS.iter().enumerate().skip(1) {
            let question =
                Question { game, allowed: moves, lines: moves.len(), nodes: MOST_NODES, depth: Some(*depth) };
            let lines = oracle.ask(&question)?;
            depth_losses.add(index, moves, &lines);
        }
        Ok(depth_losses)
    }

    fn add(&mut self, index: usize, moves: &[Move], lines: &[Line]) {
        let Some(best) = lines.iter().map(value).reduce(f32::max) else {
            return;
        };
        self.known = index + 1;
        self.best[index..].fill(best);
        for (mv, losses) in moves.iter().zip(&mut self.losses) {
            // A move that the search did not reach keeps its value of the depth before.
            if let Some(line) = lines.iter().find(|line| line.mv == *mv) {
                losses[index..].fill(best - value(line));
            }
        }
    }

    /// The same with fewer depths.
    pub fn truncated(&self, known: usize) -> DepthLosses {
        let known = known.clamp(1, self.known);
        let cut = |values: &[f32; DEPTHS.len()]| {
            let mut values = *values;
            let last = values[known - 1];
            values[known..].fill(last);
            values
        };
        DepthLosses { losses: self.losses.iter().map(cut).collect(), best: cut(&self.best), known }
    }
}

/// The evaluation of the training data. The weights fit no other, nor its scores in shown units.
pub fn training_evaluation() -> Evaluation {
    Evaluation::HandCrafted(EvalTerms::ALL)
}

/// Expected points as in the training data: from the units of the search.
fn value(line: &Line) -> f32 {
    match line.search_score.kind() {
        Kind::Centipawns(value) => Expected::of_centipawns(Centipawns::new(value)).points() as f32,
        _ => line.expected().points() as f32,
    }
}

/// Exchanges on the square a move goes to, in centipawns, from the worst to the best.
const EXCHANGES: [i32; 10] = [-500, -300, -200, -100, 0, 100, 200, 300, 500, 900];

/// What the exchange that the move starts brings: the highest step it reaches.
pub fn exchange(position: &Position, mv: Move) -> i32 {
    EXCHANGES.iter().rev().find(|step| position.see_at_least(mv, **step)).copied().unwrap_or(-900)
}

/// The evaluation after the move, and what its square loses if somebody takes there.
fn at_rest(position: &Position, mv: Move, evaluator: &mut Evaluator) -> f32 {
    let after = position.after(mv);
    if after.is_checkmate() {
        return 1.0;
    }
    let lost = exchange(position, mv).min(0);
    // What was taken is on the board already; a bad exchange loses it again and more.
    let taken = position.captured(mv).map_or(0, |kind| chess::SEE_VALUES[kind.index()]);
    let correction = if lost < 0 { lost - taken } else { 0 };
    Expected::of_centipawns(Centipawns::new(-evaluator.evaluate(&after, 0) + correction)).points() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::PoolOracle;
    use kernel::clock::ManualClock;
    use std::sync::Arc;

    fn look(fen: &str) -> (Game, Vec<Move>, DepthLosses) {
        let game = Game::new(Position::from_fen(fen).unwrap());
        let moves: Vec<Move> = game.position().legal_moves().iter().copied().collect();
        let mut oracle = PoolOracle::new(1, Arc::new(ManualClock::new()), &training_evaluation()).unwrap();
        let depth_losses =
            DepthLosses::search(&game, &moves, &mut training_evaluation().evaluator(), &mut oracle).unwrap();
        (game, moves, depth_losses)
    }

    #[test]
    fn a_queen_left_hanging_is_not_seen_at_rest() {
        let (game, moves, depth_losses) = look("4k3/8/8/2p5/3Q4/8/P7/4K3 w - - 0 1");
        let losses = |san: &str| {
            let index = moves.iter().position(|mv| game.position().san(*mv).to_string() == san).unwrap();
            depth_losses.losses[index]
        };
        assert!(losses("a3")[0] < 0.15, "{:?}", losses("a3"));
        assert!(losses("a3")[1..].iter().all(|loss| *loss > 0.25), "{:?}", losses("a3"));
        assert!(losses("Qxc5").iter().all(|loss| *loss < 0.05), "{:?}", losses("Qxc5"));
        assert_eq!(depth_losses.known, DEPTHS.len());
    }

    #[test]
    fn somebody_is_best_at_every_depth() {
        let (_, _, depth_losses) = look("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
        assert!(depth_losses.losses.iter().flatten().all(|loss| (0.0..=1.0).contains(loss)));
        for depth in 0..DEPTHS.len() {
            assert!(depth_losses.losses.iter().any(|losses| losses[depth] == 0.0), "depth {}", DEPTHS[depth]);
        }
    }

    #[test]
    fn truncation_repeats_the_last_known_depth() {
        let (_, _, depth_losses) = look("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3");
        let short = depth_losses.truncated(2);
        assert_eq!(short.known, 2);
        for (all, cut) in depth_losses.losses.iter().zip(&short.losses) {
            assert_eq!(cut[..2], all[..2]);
            assert!(cut[2..].iter().all(|loss| *loss == all[1]));
        }
        assert_eq!(depth_losses.truncated(99), depth_losses);
    }

    #[test]
    fn exchanges_by_steps() {
        let position = Position::from_fen("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1").unwrap();
        assert_eq!(exchange(&position, position.parse_uci("d1d5").unwrap()), -500);
        assert_eq!(exchange(&position, position.parse_uci("d1d2").unwrap()), 0);
    }
}
