//! Late move reductions (LMR): how much less deeply a move is searched at first (Fruit, Stockfish).

use crate::frame::Frame;
use crate::move_loop::Candidate;
use crate::team::Scheduler;
use crate::technique::Technique;
use crate::worker::Worker;
use chess::Position;
use kernel::NodeKind;
use kernel::{Depth, Policy};

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    /// Late move reductions (LMR): the depth of the first, reduced search of a move; `depth` itself when nothing is reduced.
    #[inline]
    pub(crate) fn reduced_depth<N: NodeKind>(
        &self,
        frame: &Frame,
        candidate: &Candidate,
        child: &Position,
        depth: Depth,
        is_first: bool,
    ) -> Depth {
        if is_first
            || frame.depth < self.parameters().reduction_depth
            || candidate.number <= 1 + usize::from(N::ROOT)
            || !self.uses(Technique::LateMoveReductions)
        {
            return depth;
        }
        let numbers = self.parameters();
        let mut reduction = self.shared.reductions.get(candidate.is_quiet, frame.depth, candidate.number);
        reduction += self.cut_node_reduction(frame);
        reduction += self.no_table_move_reduction(frame);
        reduction -= self.history_reduction(candidate);
        reduction += numbers.reduction_not_improving * i32::from(!frame.improving);
        reduction -= numbers.reduction_table_pv * i32::from(frame.table_pv);
        reduction -= numbers.reduction_pv * i32::from(N::PV);
        reduction -= numbers.reduction_check * i32::from(child.in_check());
        reduction -= numbers.reduction_killer * i32::from(candidate.is_killer);
        reduction += numbers.reduction_cutoffs
            * i32::from(self.stack[frame.ply + 1].cutoffs > numbers.reduction_cutoffs_limit as usize);
        let deepest = depth.plies().max(1) + self.late_move_extension();
        Depth::new((depth.plies() - reduction / 1024).clamp(1, deepest))
    }

    /// Plies by which a negative reduction may extend a late move (Stockfish).
    #[inline]
    fn late_move_extension(&self) -> i32 {
        if self.uses(Technique::LateMoveExtension) { self.parameters().late_move_extension } else { 0 }
    }

    /// A cut node that has no table move was not important before (Stockfish).
    #[inline]
    fn no_table_move_reduction(&self, frame: &Frame) -> i32 {
        if frame.cut_node && frame.tt.mv.is_none() && self.uses(Technique::NoTableMoveReduction) {
            self.parameters().reduction_no_table_move
        } else {
            0
        }
    }

    /// Where a cut is expected, it should come from an early move.
    #[inline]
    fn cut_node_reduction(&self, frame: &Frame) -> i32 {
        if frame.cut_node && self.uses(Technique::CutNodeReductions) {
            self.parameters().reduction_cut_node
        } else {
            0
        }
    }

    /// A good history means less reduction, a bad one more.
    #[inline]
    fn history_reduction(&self, candidate: &Candidate) -> i32 {
        if !self.uses(Technique::HistoryReductions) {
            return 0;
        }
        let numbers = self.parameters();
        let ply = if candidate.is_quiet {
            numbers.reduction_history_quiet
        } else {
            numbers.reduction_history_noisy
        };
        candidate.history * 1024 / ply
    }
}
