//! Answers without looking at every move: evaluation far outside the window, passing, captures.

use crate::frame::Frame;
use crate::move_picker::{MovePicker, OrderingContext, Purpose};
use crate::parameters::fixed;
use crate::phase::Phase;
use crate::team::Scheduler;
use crate::technique::Technique;
use crate::worker::Worker;
use chess::{PieceKind, Position};
use kernel::{Bound, Depth, Policy, Score, Stop, Window};
use kernel::{NodeKind, NonPv};

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    /// Reverse futility pruning (RFP), also static null move pruning: an evaluation so far above beta that a shallow
    /// search will not change it (Heinz 1998).
    #[inline]
    pub(crate) fn reverse_futility(&self, frame: &Frame, eval: Score, window: Window) -> Option<Score> {
        let numbers = self.parameters();
        let plies = frame.depth.plies() - i32::from(frame.improving);
        let beta = window.beta();
        let holds = frame.depth <= numbers.reverse_futility_depth
            && !frame.table_pv
            && eval.is_heuristic()
            && !beta.is_loss()
            && eval - numbers.reverse_futility * plies + self.worsening_allowance(frame) >= beta
            && self.uses(Technique::ReverseFutility);
        // The truth lies between: a little less than the evaluation is a better bound than beta.
        holds.then(|| Score::centipawns(beta.value() + (eval - beta) / fixed::REVERSE_FUTILITY_BLEND))
    }

    /// Opponent worsening: the evaluation is better than the opponent's own was before their move (Stockfish).
    #[inline]
    fn worsening_allowance(&self, frame: &Frame) -> i32 {
        let Some(static_eval) = frame.static_eval else { return 0 };
        let Some(before) = self.stack.back(frame.ply, 1).eval else { return 0 };
        let numbers = self.parameters();
        let applies =
            static_eval.corrected.value() > -before.value() && self.uses(Technique::OpponentWorsening);
        numbers.reverse_futility * numbers.reverse_futility_worsening / 4 * i32::from(applies)
    }

    /// Razoring: an evaluation so far below alpha that only a capture could help; quiescence search decides
    /// (Birmingham and Kent 1977).
    pub(crate) fn razoring<N: NodeKind>(
        &mut self,
        position: &Position,
        frame: &Frame,
        eval: Score,
        window: Window,
    ) -> Result<Option<Score>, Stop> {
        let numbers = self.parameters();
        let margin = numbers.razoring_base + numbers.razoring * frame.depth.plies() * frame.depth.plies();
        if frame.depth > numbers.razoring_depth
            || !window.alpha().is_heuristic()
            || eval + margin > window.alpha()
            || !self.uses(Technique::Razoring)
        {
            return Ok(None);
        }
        let score =
            self.in_phase(Phase::Quiescence, |worker| worker.quiescence::<N>(position, window, frame.ply))?;
        Ok(window.fails_low(score).then_some(score))
    }

    /// Null move pruning (NMP): if passing still beats beta, moving does too (Beal 1989, Donninger 1993). Not in endings
    /// of king and pawns, where having to move can lose (zugzwang); deep cutoffs are verified.
    pub(crate) fn null_move(
        &mut self,
        position: &Position,
        frame: &Frame,
        eval: Score,
        window: Window,
    ) -> Result<Option<Score>, Stop> {
        let numbers = self.parameters();
        let beta = window.beta();
        let slack = numbers.null_move_slack - numbers.null_move_slack_ply * frame.depth.plies();
        let corrected = frame.static_eval.map_or(eval, |static_eval| static_eval.corrected);
        if frame.depth < numbers.null_move_depth
            || eval < beta
            || corrected < beta + slack
            || beta.is_loss()
            || frame.ply < self.null_move_from
            || self.stack.back(frame.ply, 1).mv.is_none()
            || !has_pieces(position)
            || !frame.cut_node && self.uses(Technique::NullMoveCutNode)
            || !self.uses(Technique::NullMove)
        {
            return Ok(None);
        }
        let reduction = numbers.null_move_base
            + frame.depth.plies() / numbers.null_move_divisor
            + ((eval - beta) / numbers.null_move_eval).min(numbers.null_move_eval_plies);
        let depth = frame.depth - reduction;
        let child = self.enter_null(position, frame.ply);
        let score =
            -self.node::<NonPv>(&child, -Window::below(beta), depth, frame.ply + 1, !frame.cut_node)?;
        self.leave();
        if !window.fails_high(score) {
            return Ok(None);
        }
        // A mate found by passing is not proven.
        let score = if score.is_win() { beta } else { score };
        let numbers = self.parameters();
        if frame.depth < numbers.null_move_verification_depth
            || self.null_move_from > 0
            || !self.uses(Technique::NullMoveVerification)
        {
            return Ok(Some(score));
        }
        self.null_move_from = frame.ply + fixed::NULL_MOVE_VERIFICATION_PART * depth.index() / 4;
        let verified = self.node::<NonPv>(position, Window::below(beta), depth, frame.ply, false);
        self.null_move_from = 0;
        Ok(window.fails_high(verified?).then_some(score))
    }

    /// ProbCut: a capture that beats beta by a margin in a shallow search will beat beta in a deep one (Buro 1995).
    pub(crate) fn prob_cut(
        &mut self,
        position: &Position,
        frame: &Frame,
        window: Window,
        key: u64,
    ) -> Result<Option<Score>, Stop> {
        let numbers = self.parameters();
        let beta = window.beta();
        let raised = beta + numbers.probcut - numbers.probcut_improving * i32::from(frame.improving);
        let depth = frame.depth - numbers.probcut_reduction;
        let is_refuted_by_table =
            frame.tt.depth > depth && frame.tt.score.is_some_and(|score| score < raised);
        if frame.depth < numbers.probcut_depth
            || !beta.is_heuristic()
            || is_refuted_by_table
            || !self.uses(Technique::ProbCut)
        {
            return Ok(None);
        }
        let corrected = frame.static_eval.map_or(Score::ZERO, |static_eval| static_eval.corrected);
        let needed = raised - corrected;
        let table_move = frame
            .tt
            .mv
            .filter(|&mv| position.captured(mv).is_some() && self.see_at_least(position, mv, needed));
        let context = self.context(frame.ply);
        let mut picker = MovePicker::new(Purpose::ProbCut(needed), table_move, None, false, &self.arena);
        let mark = picker.start();
        let mut answer = None;
        loop {
            let ordering = OrderingContext {
                position,
                histories: &self.histories,
                context: &context,
                threats: frame.threats,
                policy: &self.policy,
                phase_probe: &self.phase_probe,
            };
            let Some(mv) = picker.next(&mut self.arena, &ordering) else { break };
            let child = self.enter(position, mv, frame.ply, None);
            let asked = -Window::below(raised);
            let mut score = -self.in_phase(Phase::Quiescence, |worker| {
                worker.quiescence::<NonPv>(&child, asked, frame.ply + 1)
            })?;
            if score >= raised {
                score = -self.node::<NonPv>(&child, asked, depth, frame.ply + 1, !frame.cut_node)?;
            }
            self.leave();
            if score >= raised {
                let stored = Frame { depth: depth + 1, ..*frame };
                self.store(key, &stored, Some(mv), score, Bound::Lower);
                answer = Some(if score.is_heuristic() { score - (raised - beta) } else { score });
                break;
            }
        }
        self.arena.release(mark);
        Ok(answer)
    }

    /// Internal iterative reduction (IIR): a node without a table move was not important before; it gets a ply less, and
    /// a move for the next visit (Schröder, Rebel).
    #[inline]
    pub(crate) fn internal_iterative_reduction<N: NodeKind>(&self, frame: &Frame) -> Depth {
        let is_shallow = frame.tt.depth + self.parameters().internal_reduction_entry <= frame.depth
            && self.uses(Technique::ShallowEntryReduction);
        let lacks_move = (frame.tt.mv.is_none() || is_shallow) && frame.excluded.is_none();
        let applies = lacks_move
            && frame.depth >= self.parameters().internal_reduction_depth
            && (N::PV || frame.cut_node)
            && self.uses(Technique::InternalReduction);
        frame.depth - i32::from(applies)
    }
}

/// Does the side to move have more than king and pawns?
#[inline]
pub(crate) fn has_pieces(position: &Position) -> bool {
    let board = position.board();
    let own = board.color(position.turn());
    (own & !board.kind(PieceKind::Pawn) & !board.kind(PieceKind::King)).any()
}
