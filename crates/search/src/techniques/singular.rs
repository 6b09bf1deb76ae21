//! Singular extensions (SE), multi-cut and negative extensions: one search without the table move serves all three.
//!
//! The table move is left out and the rest searched against a bound a little below its score. If
//! nothing else comes near, the move is singular and deserves more depth (Anantharaman, Campbell
//! and Hsu 1988, in the form Stockfish gave it).

use crate::frame::Frame;
use crate::parameters::fixed;
use crate::team::Scheduler;
use crate::technique::Technique;
use crate::worker::Worker;
use chess::{Move, Position};
use kernel::{NodeKind, NonPv};
use kernel::{Policy, Score, Stop, Window};

/// What the search without the table move showed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SingularResult {
    /// Search the move so many plies deeper, or shallower.
    Extend(i32),
    /// Several moves beat beta: the node is decided.
    Cut(Score),
}

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    pub(crate) fn singular<N: NodeKind>(
        &mut self,
        position: &Position,
        frame: &Frame,
        mv: Move,
        window: Window,
    ) -> Result<SingularResult, Stop> {
        let numbers = self.parameters();
        let Some(stored) = frame.tt.score else { return Ok(SingularResult::Extend(0)) };
        if frame.depth < numbers.singular_depth + i32::from(frame.table_pv)
            || frame.tt.depth < frame.depth - numbers.singular_table_depth
            || !frame.tt.bound.is_at_least()
            || !stored.is_heuristic()
            || frame.ply >= fixed::SINGULAR_PLY_LIMIT * self.root_depth.index()
            || !self.uses(Technique::Singular)
        {
            return Ok(SingularResult::Extend(0));
        }
        let widened = 1 + i32::from(frame.table_pv && !N::PV);
        let bar = stored - (numbers.singular_margin * frame.depth.plies() * widened) / 64;
        let (double, triple) = (numbers.double_margin, numbers.triple_margin);
        let double_limit = numbers.double_limit;
        let (negative_beta, negative_cut) = (numbers.negative_extension_beta, numbers.negative_extension_cut);
        let half = (frame.depth - 1).plies() / 2;
        let score = self.with_excluded_move(frame.ply, mv, |worker| {
            let asked = Window::below(bar);
            worker.node::<NonPv>(position, asked, kernel::Depth::new(half), frame.ply, frame.cut_node)
        })?;

        if score < bar {
            let may_repeat = self.stack[frame.ply].extensions < double_limit && !N::PV;
            let is_double = may_repeat && score < bar - double && self.uses(Technique::DoubleExtension);
            let is_triple = is_double
                && score < bar - triple
                && !position.is_noisy(mv)
                && self.uses(Technique::TripleExtension);
            return Ok(SingularResult::Extend(1 + i32::from(is_double) + i32::from(is_triple)));
        }
        if bar >= window.beta() && self.uses(Technique::MultiCut) {
            return Ok(SingularResult::Cut(bar));
        }
        let is_shared = window.fails_high(stored) || frame.cut_node;
        if is_shared && self.uses(Technique::NegativeExtension) {
            return Ok(SingularResult::Extend(if window.fails_high(stored) {
                -negative_beta
            } else {
                -negative_cut
            }));
        }
        Ok(SingularResult::Extend(0))
    }
}
