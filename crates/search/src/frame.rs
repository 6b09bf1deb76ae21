//! What a node knows before it looks at its moves.

use crate::correction::Slots;
use chess::{Bitboard, Move, Position};
use kernel::{Bound, Depth, Entry, Score};

/// A static evaluation and where its corrections lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticEval {
    /// What the evaluator said; this is what the table keeps.
    pub raw: Score,
    /// With corrections and fifty-move scaling.
    pub corrected: Score,
    pub slots: Slots,
}

/// A transposition table (TT) probe, in terms of this node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TtProbe {
    /// A legal move.
    pub mv: Option<Move>,
    pub score: Option<Score>,
    pub bound: Bound,
    pub depth: Depth,
    pub eval: Option<Score>,
    pub pv: bool,
}

/// What a node knows before it looks at its moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub depth: Depth,
    pub ply: usize,
    pub cut_node: bool,
    pub in_check: bool,
    pub improving: bool,
    /// The static evaluation refined by the table; `None` in check.
    pub eval: Option<Score>,
    pub static_eval: Option<StaticEval>,
    pub tt: TtProbe,
    /// On a principal variation, now or once.
    pub table_pv: bool,
    /// Squares the opponent attacks.
    pub threats: Bitboard,
    pub excluded: Option<Move>,
}

impl TtProbe {
    pub(crate) fn new(entry: &Entry, position: &Position, ply: usize, use_move: bool) -> Self {
        let mv = entry.best.and_then(|bits| Move::from_bits(bits.get()));
        Self {
            mv: mv.filter(|&mv| use_move && position.is_legal(mv)),
            score: (entry.bound != Bound::None).then(|| Score::from_table(entry.score, ply)),
            bound: entry.bound,
            depth: entry.depth,
            eval: entry.eval,
            pv: entry.pv,
        }
    }

    /// A stored score is a better evaluation than a static one, as far as its bound goes.
    #[inline]
    pub(crate) fn refine(&self, eval: Score) -> Score {
        match self.score {
            Some(score) if score > eval && self.bound.is_at_least() => score,
            Some(score) if score < eval && self.bound.is_at_most() => score,
            _ => eval,
        }
    }
}
