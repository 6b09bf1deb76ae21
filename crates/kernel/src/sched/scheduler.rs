//! The traits between a node and a way of searching together.

use super::loop_types::{GameMove, LoopResult, LoopUpdate, NodeInfo, RootMoveReport};
use super::split_point::SplitPoint;
use crate::counters::Counters;
use crate::line::Line;
use crate::node_counter::NodeCounter;
use crate::score::Score;
use crate::stop::Stop;
use crate::window::Window;
use std::sync::Arc;

/// A way of sharing work.
pub trait Scheduler<M: GameMove, F>: Sized {
    /// Moves may be offered later than they are drawn.
    const REORDERS: bool = false;

    /// The loop object.
    type Loop: MoveLoop<M, F, Self>;

    /// Ready for a new search.
    fn reset(&mut self) {}

    /// Opens a node's move loop.
    fn open(&mut self, info: NodeInfo) -> Self::Loop;

    /// Has a sibling made the present subtree pointless?
    fn check(&mut self) -> Result<(), Stop>;

    /// What this worker has offered, taken, abandoned, waited for and put off in this search.
    fn tally(&self) -> Counters {
        Counters::default()
    }
}

/// A worker as its own loop sees it while it waits for helpers.
pub trait SplitHelper<M: GameMove, F> {
    /// Its scheduler.
    type Scheduler: Scheduler<M, F>;

    /// Its scheduler.
    fn scheduler(&mut self) -> &mut Self::Scheduler;

    /// Its node counter.
    fn node_counter(&mut self) -> &mut NodeCounter;

    /// Searches moves of a node that another worker owns, until it is finished or pointless.
    fn assist(&mut self, split: &Arc<SplitPoint<M, F>>);

    /// Its scheduler's tally joins what the node counter will publish.
    fn collect_counts(&mut self) {
        let tally = self.scheduler().tally();
        self.node_counter().counters.adopt(&tally);
    }
}

/// The move loop of a node.
pub trait MoveLoop<M: GameMove, F, S> {
    /// The next move and its number from 1. `next` draws from the node's own picker; `frame` is
    /// called only when the node is published for others to join.
    fn offer(
        &mut self,
        scheduler: &mut S,
        next: impl FnMut() -> Option<M>,
        frame: impl FnOnce(&mut F),
    ) -> Option<(M, usize)>;

    /// The window as it stands.
    fn window(&self) -> Window;

    /// The same once more, where others may have raised alpha since this worker was offered its move.
    fn renewed_window(&mut self) -> Window {
        self.window()
    }

    /// The best score so far.
    fn best_score(&self) -> Option<Score>;

    /// Takes the result of a searched move; `line` (the move included) is called only when the loop
    /// must carry it to another worker.
    fn report(
        &mut self,
        scheduler: &mut S,
        mv: M,
        score: Score,
        line: impl FnOnce() -> Line<M>,
    ) -> LoopUpdate;

    /// A search below was abandoned. `Ok` when the reason was this very loop, decided by another
    /// worker: then `join` tells the result. Otherwise the loop is closed and the reason goes on.
    fn settle(&mut self, scheduler: &mut S, stop: Stop) -> Result<(), Stop>;

    /// Ends the loop, waiting for helpers if there are any.
    fn join<H: SplitHelper<M, F, Scheduler = S>>(&mut self, worker: &mut H) -> Result<LoopResult<M>, Stop>;

    /// Moves searched here so far, by whomever, where the node is shared.
    fn searched(&self) -> Option<Vec<M>> {
        None
    }

    /// What the workers at this node have counted together ([`MoveLoop::count`]); `own` is as far as this worker knows.
    fn counted(&self, own: usize) -> usize {
        own
    }

    /// This worker has counted so many more.
    fn count(&self, _more: usize) {}

    /// Is this worker a helper at another's node?
    fn is_helper(&self) -> bool {
        false
    }

    /// A helper at the root reports a move to the owner.
    fn report_root_move(&mut self, _report: RootMoveReport<M>) {}

    /// What helpers have reported since the last call.
    fn root_reports(&mut self) -> Vec<RootMoveReport<M>> {
        Vec::new()
    }
}
