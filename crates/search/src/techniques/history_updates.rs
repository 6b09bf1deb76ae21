//! History updates: what a finished node changes in the histories (Schaeffer 1983, in the form of Stockfish).

use crate::correction::Corrections;
use crate::frame::Frame;
use crate::history::{ContinuationContext, Histories};
use crate::move_loop::{Candidate, Tried};
use crate::parameters::fixed;
use crate::team::Scheduler;
use crate::technique::Technique;
use crate::worker::Worker;
use chess::{Bitboard, Move, Position};
use kernel::sched::LoopResult;
use kernel::{Bound, Depth, Policy, Score, Window};

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    /// A cutoff: the move gets a bonus, those tried before it a malus.
    pub(crate) fn update_on_cutoff(
        &mut self,
        position: &Position,
        frame: &Frame,
        best: Move,
        is_quiet: bool,
        tried: &Tried,
    ) {
        let bonus = self.parameters().bonus(frame.depth);
        let malus = -self.parameters().malus(frame.depth);
        let context = self.context(frame.ply);
        if is_quiet {
            self.stack[frame.ply].killer = Some(best);
            // A cutoff by the first move near the horizon says nothing new (Stash).
            if frame.depth > self.parameters().bonus_first_move_depth || !tried.quiets.is_empty() {
                self.update_quiet_histories(position, frame.threats, context, best, bonus);
            }
            for &mv in &tried.quiets {
                self.update_quiet_histories(position, frame.threats, context, mv, malus);
            }
        } else {
            self.histories.update_capture(position, best, bonus);
        }
        for &mv in &tried.captures {
            self.histories.update_capture(position, mv, malus);
        }
    }

    /// A move raised alpha without a cutoff: a part of the bonus.
    pub(crate) fn update_on_alpha_raise(
        &mut self,
        position: &Position,
        frame: &Frame,
        candidate: &Candidate,
    ) {
        let bonus = self.parameters().bonus(frame.depth) / fixed::BONUS_RAISE_DIVISOR;
        if candidate.is_quiet {
            let context = self.context(frame.ply);
            self.update_quiet_histories(position, frame.threats, context, candidate.mv, bonus);
        } else {
            self.histories.update_capture(position, candidate.mv, bonus);
        }
    }

    /// A table cutoff by a quiet move: the bonus of a search to the same depth.
    pub(crate) fn update_on_table_cutoff(&mut self, position: &Position, mv: Move, depth: Depth, ply: usize) {
        let bonus = self.parameters().bonus(depth);
        let threats = position.board().attacked_by(!position.turn(), position.board().occupied());
        let context = self.context(ply);
        self.update_quiet_histories(position, threats, context, mv, bonus);
    }

    fn update_quiet_histories(
        &mut self,
        position: &Position,
        threats: Bitboard,
        context: ContinuationContext,
        mv: Move,
        bonus: i32,
    ) {
        self.histories.update_quiet(&Histories::quiet_index(position, threats, mv), bonus);
        let far_bonus = bonus / fixed::BONUS_FAR_DIVISOR;
        self.histories.update_continuation(&context, position, mv, [bonus, far_bonus]);
    }

    /// A fail-low: no move answers the one before, which gets a bonus if it is quiet.
    #[inline]
    pub(crate) fn update_on_fail_low(&mut self, frame: &Frame) {
        if !self.uses(Technique::PriorMoveCredit) || frame.excluded.is_some() || frame.ply == 0 {
            return;
        }
        let bonus = self.parameters().bonus(frame.depth) / fixed::BONUS_PRIOR_DIVISOR;
        let previous = self.stack.back(frame.ply, 1);
        if let Some(index) = previous.capture_index
            && self.uses(Technique::PriorCaptureCredit)
        {
            self.histories.update_capture_at(index, bonus);
        }
        let Some(index) = previous.quiet_index else { return };
        self.histories.update_quiet(&index, bonus);
        let before = self.stack.back(frame.ply, 2).piece_to;
        self.histories.update_reply(before, &index, bonus);
    }

    /// The evaluation before and after a quiet move says whether it helped its mover.
    #[inline]
    pub(crate) fn update_by_eval_difference(&mut self, eval: Option<Score>, ply: usize) {
        let previous = self.stack.back(ply, 1);
        let (Some(eval), Some(before), Some(index)) = (eval, previous.eval, previous.quiet_index) else {
            return;
        };
        if self.stack[ply].excluded.is_none() && self.uses(Technique::PriorMoveCredit) {
            // Both are from their own mover's side: their sum is what the move cost its mover.
            let numbers = self.parameters();
            let limit = numbers.eval_difference_limit;
            let gain = (-(eval.value() + before.value()) * numbers.eval_difference).clamp(-limit, limit);
            self.histories.update_quiet(&index, gain);
        }
    }

    /// A reduced move was searched again: what came out says whether it deserved that (Stockfish).
    #[inline]
    pub(crate) fn credit_reduced_move(&mut self, ply: usize, score: Score, window: Window, depth: Depth) {
        let Some(index) = self.stack[ply].quiet_index else { return };
        if !self.uses(Technique::ReducedMoveCredit) {
            return;
        }
        let bonus = if window.fails_low(score) {
            -self.parameters().malus(depth)
        } else if window.fails_high(score) {
            self.parameters().bonus(depth)
        } else {
            return;
        };
        for piece_to in [1, 2].map(|back| self.stack.back(ply, back).piece_to) {
            self.histories.update_reply(piece_to, &index, bonus);
        }
    }

    /// How far the evaluation was off, where the score is a fair measure of it: a quiet best move,
    /// no check, and no bound that the evaluation already satisfies.
    #[inline]
    pub(crate) fn update_corrections(
        &mut self,
        position: &Position,
        frame: &Frame,
        found: &LoopResult<Move>,
        score: Score,
        bound: Bound,
    ) {
        let Some(static_eval) = frame.static_eval else { return };
        let is_quiet = found.best.is_none_or(|mv| !position.is_noisy(mv));
        let is_news = match bound {
            Bound::Lower => score > static_eval.corrected,
            Bound::Upper => score < static_eval.corrected,
            _ => true,
        };
        if is_quiet && is_news && score.is_heuristic() {
            let error = score - static_eval.corrected;
            let bonus = Corrections::bonus(
                error * frame.depth.plies() / fixed::CORRECTION_DIVISOR,
                fixed::CORRECTION_STEP,
            );
            self.corrections.update(position, &static_eval.slots, bonus);
        }
    }
}
