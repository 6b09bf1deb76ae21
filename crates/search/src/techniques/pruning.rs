//! Pruning in the move loop: moves that are skipped without being made.

use crate::frame::Frame;
use crate::move_loop::Candidate;
use crate::move_picker::MovePicker;
use crate::parameters::fixed;
use crate::team::Scheduler;
use crate::technique::Technique;
use crate::techniques::shortcuts::has_pieces;
use crate::worker::Worker;
use chess::Position;
use kernel::{Policy, Window};

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    /// Is the move so unlikely to matter that it need not be made?
    #[inline]
    pub(crate) fn is_prunable(
        &self,
        position: &Position,
        frame: &Frame,
        candidate: &Candidate,
        window: Window,
        picker: &mut MovePicker,
    ) -> bool {
        if !has_pieces(position) {
            return false;
        }
        // Late quiet moves all go at once.
        if self.late_move_pruning(frame, candidate) {
            picker.skip_quiets();
        }
        if candidate.is_quiet {
            let reduction = self.shared.reductions.get(true, frame.depth, candidate.number)
                - candidate.history * 1024 / self.parameters().reduction_history_quiet;
            let depth = (frame.depth.plies() - 1 - reduction / 1024).max(0);
            if self.history_pruning(frame, candidate, depth) {
                return true;
            }
            if self.futility_pruning(position, frame, candidate, window, depth) {
                return true;
            }
            self.see_pruning(position, candidate, -self.parameters().exchange_quiet * depth * depth)
        } else {
            let allowance = candidate.history / fixed::EXCHANGE_NOISY_HISTORY;
            let loss = self.parameters().exchange_noisy * frame.depth.plies() + allowance;
            frame.depth < self.parameters().exchange_noisy_depth
                && self.see_pruning(position, candidate, -loss.max(0))
        }
    }

    /// Late move pruning (LMP), also move count pruning: after so many moves the rest of the quiet ones is skipped
    /// (Stockfish).
    #[inline]
    fn late_move_pruning(&self, frame: &Frame, candidate: &Candidate) -> bool {
        !frame.in_check
            && candidate.number >= self.parameters().late_move_limit(frame.depth, frame.improving)
            && self.uses(Technique::LateMovePruning)
    }

    /// History pruning: such moves have rarely caused a cutoff (Stockfish).
    #[inline]
    fn history_pruning(&self, frame: &Frame, candidate: &Candidate, depth: i32) -> bool {
        depth < self.parameters().history_pruning_depth
            && candidate.history < -self.parameters().history_pruning * frame.depth.plies()
            && self.uses(Technique::HistoryPruning)
    }

    /// Futility pruning (FP): the evaluation lies so far below alpha that a quiet move will not reach it (Schaeffer 1986).
    #[inline]
    fn futility_pruning(
        &self,
        position: &Position,
        frame: &Frame,
        candidate: &Candidate,
        window: Window,
        depth: i32,
    ) -> bool {
        let numbers = self.parameters();
        let Some(eval) = frame.eval else { return false };
        depth < numbers.futility_depth
            && window.alpha().is_heuristic()
            && eval + numbers.futility_base + numbers.futility * depth <= window.alpha()
            && self.uses(Technique::Futility)
            && !position.gives_check(candidate.mv)
    }

    /// SEE pruning: by static exchange evaluation (SEE) the move loses more than its depth could win back (Stockfish).
    #[inline]
    fn see_pruning(&self, position: &Position, candidate: &Candidate, least: i32) -> bool {
        self.uses(Technique::ExchangePruning) && !self.see_at_least(position, candidate.mv, least)
    }
}
