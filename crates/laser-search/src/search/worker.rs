//! What all workers share, and what each has for itself.

use std::sync::Arc;

use kernel::{Line, MAX_PLY, NodeCounter, Policy, RootMoves, Score, Table, Window};
use laser::{Colour, DrawRules, Move, Position};

use super::history::{Histories, PieceTo};
use super::parameters::{Parameters, Reductions};
use super::technique::Technique;
use crate::endgame::{Endgame, EndgameResult};
use crate::eval::{Beams, Evaluator};

/// Read by every worker of a search, changed by none.
pub(crate) struct Shared {
    pub(crate) table: Table,
    pub(crate) evaluator: Evaluator,
    pub(crate) parameters: Parameters,
    pub(crate) reductions: Box<Reductions>,
    pub(crate) rules: DrawRules,
    pub(crate) endgame: Option<Arc<Endgame>>,
}

/// What a worker remembers of each ply on the way from the root.
#[derive(Clone, Copy, Default)]
pub(crate) struct Frame {
    /// Static value, where one was made.
    pub(crate) eval: Option<Score>,
    /// Laser coverage from White's side in fine units: this position's, or the last one computed before it.
    pub(crate) coverage: i32,
    /// What the move made at this ply brought about.
    pub(crate) piece_to: Option<PieceTo>,
}

/// One searching thread's own state.
pub(crate) struct Worker<P, S> {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policy: P,
    pub(crate) scheduler: S,
    pub(crate) node_counter: NodeCounter,
    pub(crate) histories: Histories,
    pub(crate) frames: Vec<Frame>,
    pub(crate) lines: Vec<Line<Move>>,
    pub(crate) selective_depth: usize,
    /// Moves tried, counted as the course's players count their nodes; see [`crate::SearchResult::tried`].
    pub(crate) tried: u64,
    pub(crate) root_moves: RootMoves<Move>,
    pub(crate) root: Position,
    /// Keys of the game's positions and then of the path to the present node, the present one excluded.
    pub(crate) keys: Vec<u64>,
}

impl<P: Policy<Technique>, S> Worker<P, S> {
    /// A worker for a position with the keys of the game before it.
    pub(crate) fn new(
        shared: Arc<Shared>,
        policy: P,
        scheduler: S,
        node_counter: NodeCounter,
        mut histories: Histories,
        root: Position,
        keys: &[u64],
    ) -> Worker<P, S> {
        for ply in 0..=MAX_PLY {
            histories.clear_killers(ply);
        }
        let mut path = Vec::with_capacity(keys.len() + MAX_PLY + 1);
        path.extend_from_slice(keys);
        Worker {
            shared,
            policy,
            scheduler,
            node_counter,
            histories,
            frames: vec![Frame::default(); MAX_PLY + 2],
            lines: vec![Line::default(); MAX_PLY + 2],
            selective_depth: 0,
            tried: 0,
            root_moves: RootMoves::new(root.legal_moves()),
            root,
            keys: path,
        }
    }

    #[inline]
    pub(crate) fn uses(&self, technique: Technique) -> bool {
        self.policy.uses(technique)
    }

    /// The static value with everything in it.
    #[inline]
    pub(crate) fn evaluate(&self, position: &Position) -> Score {
        self.shared.evaluator.evaluate(position).map_or(Score::ZERO, Score::centipawns)
    }

    /// The static value and whether it is exact.
    ///
    /// Laser coverage costs most of an evaluation and seldom changes much from one ply to the next, so the last one
    /// computed on the way here stands in for it; only a value that comes near the question asked (the window, `above`
    /// beta and `below` alpha) is computed in full.
    #[inline]
    pub(crate) fn static_value(
        &mut self,
        position: &Position,
        beams: &Beams,
        ply: usize,
        lazy: Option<(Window, i32, i32)>,
    ) -> (Score, bool) {
        let evaluator = &self.shared.evaluator;
        let Some(rough) = evaluator.rough(position, beams) else { return (Score::ZERO, false) };
        // Frames keep coverage from White's side.
        let sign = if position.side_to_move() == Colour::White { 1 } else { -1 };
        if let (Some((window, above, below)), Some(before)) = (lazy, ply.checked_sub(1)) {
            let inherited = self.frames[before].coverage;
            let value = Score::centipawns((rough + sign * inherited) / 100);
            let margin = self.shared.parameters.lazy_margin;
            if window.fails_high(value - margin - above) || window.fails_low(value + margin + below) {
                self.frames[ply].coverage = inherited;
                return (value, false);
            }
        }
        let balance = evaluator.coverage_balance(position, beams).unwrap_or(0);
        self.frames[ply].coverage = sign * balance;
        (Score::centipawns((rough + balance) / 100), true)
    }

    /// Until this position's own coverage is computed, its parent's stands in.
    #[inline]
    pub(crate) fn inherit_coverage(&mut self, ply: usize) {
        if let Some(before) = ply.checked_sub(1) {
            self.frames[ply].coverage = self.frames[before].coverage;
        }
    }

    /// Drawn by the quiet limit, or standing on the board again: the first repetition counts, as whoever could repeat
    /// once can repeat twice.
    pub(crate) fn is_draw(&self, position: &Position) -> bool {
        let quiet = usize::from(position.quiet_plies());
        if quiet >= usize::from(self.shared.rules.quiet_plies) {
            return true;
        }
        // Only positions since the last zap can come again, and only with the same side to move.
        self.keys.iter().rev().take(quiet).skip(1).step_by(2).any(|&key| key == position.key())
    }

    /// The value of a position that the end-game tables know. A win that would come after the quiet limit is a draw.
    #[inline]
    pub(crate) fn solved(&self, position: &Position, ply: usize) -> Option<Score> {
        let result = self.shared.endgame.as_ref()?.probe(position)?;
        let in_time = |plies: u8| position.quiet_plies() + u16::from(plies) <= self.shared.rules.quiet_plies;
        Some(match result {
            EndgameResult::Win(plies) if in_time(plies) => Score::mate_in(ply + usize::from(plies)),
            EndgameResult::Loss(plies) if in_time(plies) => Score::mated_in(ply + usize::from(plies)),
            _ => self.draw_score(position.side_to_move()),
        })
    }

    /// What a draw is worth to the side to move.
    pub(crate) fn draw_score(&self, side: Colour) -> Score {
        let draw = self.shared.parameters.draw;
        Score::centipawns(if side == self.root.side_to_move() { draw } else { -draw })
    }

    pub(crate) fn enter(&mut self, key: u64) {
        self.keys.push(key);
    }

    pub(crate) fn leave(&mut self) {
        self.keys.pop();
    }

    pub(crate) fn path_length(&self) -> usize {
        self.keys.len()
    }

    /// Forgets the path below a node that was left in a hurry.
    pub(crate) fn return_to(&mut self, path_length: usize) {
        self.keys.truncate(path_length);
    }

    /// The reply to this ply's predecessor, if there is one.
    #[inline]
    pub(crate) fn previous(&self, ply: usize) -> Option<PieceTo> {
        if self.uses(Technique::Continuation) { self.frames[ply.checked_sub(1)?].piece_to } else { None }
    }

    /// The line under `ply` becomes `mv` and the line under the next ply.
    pub(crate) fn extend_line(&mut self, ply: usize, mv: Move) {
        if let [line, rest, ..] = &mut self.lines[ply..] {
            line.prepend(mv, rest);
        }
    }
}
