//! The hand-crafted evaluation.
//!
//! Every term adds weights from one flat table ([`features`]) to a middlegame and an endgame total, which the
//! phase mixes. The same functions serve three uses, told apart by a [`Trace`] that compiles away when nobody
//! watches: plain evaluation, the table of terms ([`Breakdown`]) and the tuner's coefficients ([`Coefficients`]).
//! Invariant: turning the board round and swapping the colours changes nothing.

mod breakdown;
mod coefficients;
pub mod features;
mod masks;
mod parameters;
mod passed;
mod pawn_table;
mod pawns;
pub mod phase;
mod pieces;
mod setting;
mod sum;
mod tapered;
mod terms;
mod trace;
mod weights;

pub use breakdown::Breakdown;
pub use coefficients::Coefficients;
pub use features::{Feature, Term};
pub use parameters::Weights;
pub use tapered::Tapered;
pub use terms::EvalTerms;

use chess::{Color, Position};
use pawn_table::{PawnEntry, PawnTable};
use setting::Setting;
use sum::Sum;
use trace::{Trace, Unwatched};

/// No evaluation lies beyond this, so that mate and tablebase scores are told apart from it.
pub const MAX_EVALUATION: i32 = 10_000;

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
        Evaluator { weights, terms: EvalTerms::ALL, pawns: PawnTable::new() }
    }

    /// For the laboratory: only some terms count. Slower; play uses all of them.
    pub fn with_terms(weights: Weights, terms: EvalTerms) -> Evaluator {
        Evaluator { weights, terms, pawns: PawnTable::new() }
    }

    pub const fn terms(&self) -> EvalTerms {
        self.terms
    }

    /// Forgets what it remembers; evaluations do not depend on it.
    pub fn clear(&mut self) {
        self.pawns.clear();
    }

    /// Centipawns from the side to move, within [`MAX_EVALUATION`].
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let white = if self.terms == EvalTerms::ALL {
            let total = add_up(position, &self.weights, &mut Unwatched, Some(&mut self.pawns));
            mix(position, total)
        } else {
            Breakdown::new(position, &self.weights).masked(self.terms)
        };
        from_turn(position.turn(), white.clamp(-MAX_EVALUATION, MAX_EVALUATION))
    }
}

#[inline(always)]
fn from_turn(turn: Color, white: i32) -> i32 {
    match turn {
        Color::White => white,
        Color::Black => -white,
    }
}

/// White's total minus Black's.
#[inline(always)]
fn add_up<T: Trace>(
    position: &Position,
    weights: &Weights,
    trace: &mut T,
    memory: Option<&mut PawnTable>,
) -> Tapered {
    let board = position.board();
    let mut sum = Sum::new(weights, trace);
    let passed = match memory {
        Some(table) if !T::WATCHING => {
            let entry = remembered_pawns(position, table, &mut sum);
            sum.total += entry.score;
            entry.passed
        }
        _ => [pawns::structure::<true, T>(board, &mut sum), pawns::structure::<false, T>(board, &mut sum)],
    };
    let mut setting = Setting::new(board);
    pieces::pieces::<true, T>(&mut setting, &mut sum);
    pieces::pieces::<false, T>(&mut setting, &mut sum);
    let turn = position.turn();
    passed::passed::<true, T>(&setting, passed[0], turn, &mut sum);
    passed::passed::<false, T>(&setting, passed[1], turn, &mut sum);
    match turn {
        Color::White => sum.add::<true>(features::TEMPO, 0),
        Color::Black => sum.add::<false>(features::TEMPO, 0),
    }
    sum.total
}

#[inline(always)]
fn remembered_pawns<T: Trace>(position: &Position, table: &mut PawnTable, sum: &mut Sum<'_, T>) -> PawnEntry {
    let key = PawnTable::key(position);
    if let Some(entry) = table.find(key) {
        return entry;
    }
    let before = sum.total;
    let board = position.board();
    let passed = [pawns::structure::<true, T>(board, sum), pawns::structure::<false, T>(board, sum)];
    let score = sum.total - before;
    sum.total = before;
    table.keep(key, score, passed)
}

/// Middlegame and endgame mixed by phase.
#[inline(always)]
fn mix(position: &Position, total: Tapered) -> i32 {
    let phase = phase::phase(position.board());
    (total.middlegame() * phase + total.endgame() * (phase::FULL - phase)) / phase::FULL
}
