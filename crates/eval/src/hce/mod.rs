//! The hand-crafted evaluation.
//!
//! Every term adds weights from one flat table ([`features`]) to a middlegame and an endgame total, which the
//! phase mixes. The same functions serve three uses, told apart by a trace that compiles away when nobody
//! watches: plain evaluation, the table of terms ([`Breakdown`]) and the tuner's coefficients ([`Coefficients`]).
//! Invariant: turning the board round and swapping the colours changes nothing.

mod breakdown;
mod coefficients;
pub mod conclude;
mod endings;
pub mod features;
mod imbalance;
mod king;
mod kpk;
mod masks;
mod parameters;
mod passed;
mod pawn_table;
mod pawns;
pub mod phase;
mod pieces;
mod setting;
mod space;
mod sum;
mod tapered;
mod terms;
mod threats;
mod trace;
mod weights;

pub use breakdown::Breakdown;
pub use coefficients::{Coefficients, Use};
pub use features::{Feature, Term};
pub use parameters::Weights;
pub use tapered::Tapered;
pub use terms::{EvalTerms, UnknownTerm};

use chess::{Bitboard, Color, Position};
use pawn_table::{PawnEntry, PawnTable};
use setting::EvalContext;
use sum::{Sum, Tally};
use trace::{NoTrace, Trace};

/// No evaluation lies beyond this, so that mate and tablebase scores are told apart from it.
pub const MAX_EVALUATION: i32 = 20_000;

/// The score at which a game on move 32 is won as often as not (`results/eval/outcome.md`).
pub const EVEN: i32 = 127;

/// One worker's evaluator: its weights, the terms it uses, its memory of pawn structures.
pub struct Evaluator {
    weights: Weights,
    terms: EvalTerms,
    pawns: PawnTable,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new(Weights::FITTED)
    }
}

impl Evaluator {
    pub fn new(weights: Weights) -> Evaluator {
        Evaluator::with_terms(weights, EvalTerms::ALL)
    }

    /// For the laboratory: only some terms count. Slower; play uses all of them.
    pub fn with_terms(weights: Weights, terms: EvalTerms) -> Evaluator {
        Evaluator { weights, terms, pawns: PawnTable::new() }
    }

    pub const fn terms(&self) -> EvalTerms {
        self.terms
    }

    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Forgets what it remembers; evaluations do not depend on it.
    pub fn clear(&mut self) {
        self.pawns.clear();
    }

    /// Centipawns from the side to move, within [`MAX_EVALUATION`].
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let white = if self.terms == EvalTerms::ALL { self.white(position) } else { self.masked(position) };
        let score = white.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        match position.turn() {
            Color::White => score,
            Color::Black => -score,
        }
    }

    /// With every term.
    #[inline(always)]
    fn white(&mut self, position: &Position) -> i32 {
        if let Some(known) = endings::known(position) {
            return known;
        }
        let mut nobody = NoTrace;
        let mut sum = Sum::new(&self.weights, &mut nobody);
        let passed = self.pawns.remembered(position, &mut sum);
        pieces_and_more(position, passed, &mut sum);
        conclude::conclude(&sum.tally, position.board(), &self.weights, EvalTerms::ALL)
    }

    #[cold]
    fn masked(&self, position: &Position) -> i32 {
        Breakdown::new(position, &self.weights).masked(self.terms)
    }
}

/// What is known of a simple ending without any evaluation, from the side to move.
pub(crate) fn known_ending(position: &Position) -> Option<i32> {
    let white = endings::known(position)?.clamp(-MAX_EVALUATION, MAX_EVALUATION);
    Some(if position.turn() == Color::White { white } else { -white })
}

/// The whole evaluation, watched.
fn watch<T: Trace>(position: &Position, weights: &Weights, trace: &mut T) -> Tally {
    let mut sum = Sum::new(weights, trace);
    let passed = pawns_and_kings(position, &mut sum);
    pieces_and_more(position, passed, &mut sum);
    sum.tally
}

/// What pawns and kings alone decide. Answers the passed pawns.
fn pawns_and_kings<T: Trace>(position: &Position, sum: &mut Sum<'_, T>) -> [Bitboard; 2] {
    let board = position.board();
    [pawns::structure::<true, T>(board, sum), pawns::structure::<false, T>(board, sum)]
}

/// All the rest.
#[inline(always)]
fn pieces_and_more<T: Trace>(position: &Position, passed: [Bitboard; 2], sum: &mut Sum<'_, T>) {
    let board = position.board();
    let turn = position.turn();
    let mut setting = EvalContext::new(board);
    pieces::pieces::<true, T>(&mut setting, sum);
    pieces::pieces::<false, T>(&mut setting, sum);
    imbalance::imbalance(&setting, sum);
    king::danger::<true, T>(&setting, turn, sum);
    king::danger::<false, T>(&setting, turn, sum);
    threats::threats::<true, T>(&setting, sum);
    threats::threats::<false, T>(&setting, sum);
    passed::passed::<true, T>(&setting, passed[0], turn, sum);
    passed::passed::<false, T>(&setting, passed[1], turn, sum);
    space::space::<true, T>(&setting, sum);
    space::space::<false, T>(&setting, sum);
    match turn {
        Color::White => sum.add::<true>(features::TEMPO, 0),
        Color::Black => sum.add::<false>(features::TEMPO, 0),
    }
    conclude::winnable(board, passed, sum);
}

impl PawnTable {
    /// What pawns and kings decide, from memory where it is there.
    #[inline(always)]
    fn remembered(&mut self, position: &Position, sum: &mut Sum<'_, NoTrace>) -> [Bitboard; 2] {
        let key = PawnTable::key(position);
        if let Some(entry) = self.find(key) {
            sum.tally.total = entry.score;
            sum.tally.danger = entry.danger;
            return entry.passed;
        }
        let passed = pawns_and_kings(position, sum);
        self.keep(PawnEntry { key, score: sum.tally.total, danger: sum.tally.danger, passed });
        passed
    }
}
