//! What a finished node teaches the histories.

use crate::history::{Histories, Trail};
use crate::move_loop::{Candidate, Tried};
use crate::node::Frame;
use crate::team::Scheduler;
use crate::technique::Technique;
use crate::worker::Worker;
use chess::{Bitboard, Move, Position};
use kernel::sched::Found;
use kernel::{Bound, Depth, Policy, Score};

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    /// A move refuted the parent's choice: it gains credit, those tried before it lose some.
    pub(crate) fn teach_moves(
        &mut self,
        position: &Position,
        frame: &Frame,
        best: Move,
        is_quiet: bool,
        tried: &Tried,
    ) {
        let bonus = self.parameters().bonus(frame.depth);
        let malus = -self.parameters().malus(frame.depth);
        let trail = self.trail(frame.ply);
        if is_quiet {
            self.stack[frame.ply].killer = Some(best);
            // A cutoff by the first move near the horizon teaches nothing new (Stash).
            if frame.depth > 3 || !tried.quiets.is_empty() {
                self.teach_quiet(position, frame.threats, trail, best, bonus);
            }
            for &mv in &tried.quiets {
                self.teach_quiet(position, frame.threats, trail, mv, malus);
            }
        } else {
            self.histories.teach_capture(position, best, bonus);
        }
        for &mv in &tried.captures {
            self.histories.teach_capture(position, mv, malus);
        }
    }

    /// A move raised alpha without ending the node: a little credit.
    pub(crate) fn teach_raise(&mut self, position: &Position, frame: &Frame, candidate: &Candidate) {
        let bonus = self.parameters().bonus(frame.depth) / 4;
        if candidate.is_quiet {
            let trail = self.trail(frame.ply);
            self.teach_quiet(position, frame.threats, trail, candidate.mv, bonus);
        } else {
            self.histories.teach_capture(position, candidate.mv, bonus);
        }
    }

    /// The table says a quiet move refutes this position: that is worth as much as a search.
    pub(crate) fn teach_quiet_refutation(&mut self, position: &Position, mv: Move, depth: Depth, ply: usize) {
        let bonus = self.parameters().bonus(depth);
        let threats = position.board().attacked_by(!position.turn(), position.board().occupied());
        let trail = self.trail(ply);
        self.teach_quiet(position, threats, trail, mv, bonus);
    }

    fn teach_quiet(&mut self, position: &Position, threats: Bitboard, trail: Trail, mv: Move, bonus: i32) {
        self.histories.teach_record(&Histories::record(position, threats, mv), bonus);
        self.histories.teach_continuation(&trail, position, mv, bonus);
    }

    /// No move answers the one before: if quiet, it was a good one.
    #[inline]
    pub(crate) fn teach_fail_low(&mut self, frame: &Frame) {
        if !self.uses(Technique::PriorMoveCredit) || frame.excluded.is_some() || frame.ply == 0 {
            return;
        }
        let Some(record) = self.stack.back(frame.ply, 1).record else { return };
        let bonus = self.parameters().bonus(frame.depth) / 2;
        self.histories.teach_record(&record, bonus);
        let before = self.stack.back(frame.ply, 2).footprint;
        self.histories.teach_reply(before, &record, bonus);
    }

    /// The evaluation before and after a quiet move says whether it helped its mover.
    #[inline]
    pub(crate) fn teach_surprise(&mut self, eval: Option<Score>, ply: usize) {
        let previous = self.stack.back(ply, 1);
        let (Some(eval), Some(before), Some(record)) = (eval, previous.eval, previous.record) else { return };
        if self.stack[ply].excluded.is_none() && self.uses(Technique::PriorMoveCredit) {
            // Both are from their own mover's side: their sum is what the move cost its mover.
            let gain = (-(eval.value() + before.value()) * 8).clamp(-600, 600);
            self.histories.teach_record(&record, gain);
        }
    }

    /// How far the evaluation was off, where the score is a fair measure of it: a quiet best move,
    /// no check, and no bound that the evaluation already satisfies.
    #[inline]
    pub(crate) fn learn(
        &mut self,
        position: &Position,
        frame: &Frame,
        found: &Found<Move>,
        score: Score,
        bound: Bound,
    ) {
        let Some(judged) = frame.judged else { return };
        let is_quiet = found.best.is_none_or(|mv| !position.is_noisy(mv));
        let is_news = match bound {
            Bound::Lower => score > judged.corrected,
            Bound::Upper => score < judged.corrected,
            _ => true,
        };
        if is_quiet && is_news && score.is_heuristic() {
            let error = score - judged.corrected;
            self.corrections.teach(position, &judged.slots, error, frame.depth.plies());
        }
    }
}
