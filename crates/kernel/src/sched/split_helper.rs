//! A worker at other workers' split points.

use super::loop_types::GameMove;
use super::parallel_worker::{ParallelWorker, search_root_as_helper};
use super::scheduler::SplitHelper;
use super::split_point::SplitPoint;
use super::ybwc::{Ybwc, YbwcLoop};
use crate::driver::{Outcome, Plan};
use crate::shared_progress::SharedProgress;
use crate::stop::Stop;
use std::sync::Arc;

/// Young Brothers Wait, in one team or several: who leads a team searches the root, the others serve.
pub fn help_ybwc<W, F>(
    worker: &mut W,
    plan: &Plan,
    shared_progress: &SharedProgress<W::Move>,
) -> Option<Outcome<W::Move>>
where
    W: ParallelWorker + SplitHelper<W::Move, F, Scheduler = Ybwc<W::Move, F>>,
    F: Default + Clone,
{
    let Some(number) = worker.scheduler().leads() else {
        serve_split_points(worker);
        return None;
    };
    Some(search_root_as_helper(worker, number, plan, shared_progress))
}

/// Young Brothers Wait: a helper joins one node after another until the search is over.
pub fn serve_split_points<M: GameMove, F: Default + Clone>(
    worker: &mut impl SplitHelper<M, F, Scheduler = Ybwc<M, F>>,
) {
    while !worker.node_counter().session().control().is_stopped() {
        match worker.scheduler().find_work(None) {
            Some(split) => {
                worker.assist(&split);
                worker.collect_counts();
            }
            None => worker.node_counter().wait_idle(),
        }
    }
    worker.scheduler().set_waits(false);
}

/// Joins a split point, searches moves there until none is left or the node is decided, and returns to where the worker
/// stood. `search` searches the moves of the owner's node; its error says that a move was left unsearched.
pub fn join_split_point<M, F, W>(
    worker: &mut W,
    split: &Arc<SplitPoint<M, F>>,
    search: impl FnOnce(&mut W, F, &mut YbwcLoop<M, F>) -> Result<(), Stop>,
) where
    M: GameMove,
    F: Default + Clone,
    W: SplitHelper<M, F, Scheduler = Ybwc<M, F>>,
{
    let nodes = worker.node_counter().nodes();
    let Some((snapshot, mut walk, membership)) = worker.scheduler().enter(split, nodes) else {
        worker.node_counter().wait_idle();
        return;
    };
    worker.node_counter().end_wait();
    worker.node_counter().charge(|costs| costs.join);
    let finished = search(worker, snapshot, &mut walk).is_ok();
    if !finished {
        worker.node_counter().charge(|costs| costs.abort);
    }
    let nodes = worker.node_counter().nodes();
    worker.scheduler().leave(membership, nodes, finished);
}
