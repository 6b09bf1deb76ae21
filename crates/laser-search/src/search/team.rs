//! How a worker takes part in each way of searching together.

use std::sync::Arc;

use kernel::driver::Plan;
use kernel::sched::{
    Abdada, Assistant, ParallelWorker, Solo, SplitPoint, Ybwc, help_ybwc, search_root_as_helper,
};
use kernel::{MAX_PLY, NodeCounter, Outcome, Policy, RootMoves, SharedProgress};
use laser::Move;

use super::node::{NodeKind, NonPv, Pv, Root, Setting};
use super::technique::Technique;
use super::worker::{Frame, Worker};
use crate::eval::trail::Trail;

/// A way of searching together, as Leiserchess uses it.
pub(crate) trait Scheduler: kernel::sched::Scheduler<Move, Visit> + Send + Sized + 'static {
    /// Searches moves of another worker's node.
    fn assist<P: Policy<Technique>>(_worker: &mut Worker<P, Self>, _split: &Arc<SplitPoint<Move, Visit>>) {}

    /// A helper's whole search; what it came to, if it searched the root itself.
    fn help<P: Policy<Technique>>(
        worker: &mut Worker<P, Self>,
        plan: &Plan,
        shared_progress: &SharedProgress<Move>,
    ) -> Option<Outcome<Move>> {
        let number = worker.node_counter.worker();
        Some(search_root_as_helper(worker, number, plan, shared_progress))
    }
}

impl Scheduler for Solo {}

impl Scheduler for Abdada<Move> {}

impl Scheduler for Ybwc<Move, Visit> {
    fn assist<P: Policy<Technique>>(worker: &mut Worker<P, Self>, split: &Arc<SplitPoint<Move, Visit>>) {
        worker.join_node(split);
    }

    fn help<P: Policy<Technique>>(
        worker: &mut Worker<P, Self>,
        plan: &Plan,
        shared_progress: &SharedProgress<Move>,
    ) -> Option<Outcome<Move>> {
        help_ybwc(worker, plan, shared_progress)
    }
}

/// The kind of a node, as a value.
#[derive(Clone, Copy, Default)]
enum Kind {
    Root,
    Pv,
    #[default]
    NonPv,
}

/// Frames before a node that are looked at from it, and the node's own.
const FRAMES: usize = 3;

/// What a guest needs to walk through the moves of another worker's node.
#[derive(Clone, Default)]
pub(crate) struct Visit {
    kind: Kind,
    setting: Option<Setting>,
    keys: Vec<u64>,
    frames: [Frame; FRAMES],
    /// The root moves that are open, at the root.
    open: Vec<Move>,
}

/// Where a visit is filled from.
pub(crate) struct Host<'a> {
    pub(crate) setting: &'a Setting,
    pub(crate) keys: &'a [u64],
    pub(crate) frames: &'a [Frame],
    pub(crate) root_moves: &'a RootMoves<Move>,
}

impl Visit {
    /// Becomes a picture of the owner's node.
    pub(crate) fn fill<N: NodeKind>(&mut self, host: &Host<'_>) {
        self.kind = match (N::ROOT, N::PV) {
            (true, _) => Kind::Root,
            (_, true) => Kind::Pv,
            _ => Kind::NonPv,
        };
        self.setting = Some(*host.setting);
        self.keys.clear();
        self.keys.extend_from_slice(host.keys);
        let (from, count) = around(host.setting.ply);
        self.frames[..count].copy_from_slice(&host.frames[from..from + count]);
        self.open.clear();
        if N::ROOT {
            let all = host.root_moves.all();
            self.open.extend(all[host.root_moves.first()..].iter().map(|root| root.mv));
        }
    }
}

/// The frames a node looks at: where they begin and how many there are.
fn around(ply: usize) -> (usize, usize) {
    let from = ply.saturating_sub(FRAMES - 1);
    (from, ply - from + 1)
}

impl<P: Policy<Technique>> Worker<P, Ybwc<Move, Visit>> {
    /// Joins a node, searches moves there until none is left or the node is decided, and returns to where it stood.
    fn join_node(&mut self, split: &Arc<SplitPoint<Move, Visit>>) {
        let Some((mut visit, mut walk, visiting)) = self.scheduler.visit(split, self.node_counter.nodes())
        else {
            self.node_counter.rest();
            return;
        };
        self.node_counter.wake();
        self.node_counter.charge(|costs| costs.join);
        let mut finished = true;
        if let Some(setting) = visit.setting {
            let (from, count) = around(setting.ply);
            let mut frames = [Frame::default(); FRAMES];
            frames[..count].copy_from_slice(&self.frames[from..from + count]);
            self.frames[from..from + count].copy_from_slice(&visit.frames[..count]);
            visit.keys.reserve(MAX_PLY + 2);
            let keys = std::mem::replace(&mut self.keys, std::mem::take(&mut visit.keys));

            let beam = Trail::of(&setting.position, setting.position.side_to_move());
            let result = match visit.kind {
                Kind::Root => {
                    self.root_moves = RootMoves::new(visit.open.iter().copied());
                    self.try_moves::<Root, _>(&setting, &beam, &mut walk)
                }
                Kind::Pv => self.try_moves::<Pv, _>(&setting, &beam, &mut walk),
                Kind::NonPv => self.try_moves::<NonPv, _>(&setting, &beam, &mut walk),
            };
            finished = result.is_ok();
            if !finished {
                self.node_counter.charge(|costs| costs.abort);
            }

            self.keys = keys;
            self.frames[from..from + count].copy_from_slice(&frames[..count]);
        }
        self.scheduler.depart(visiting, self.node_counter.nodes(), finished);
    }
}

impl<P: Policy<Technique>, S: Scheduler> ParallelWorker for Worker<P, S> {
    fn node_counter_mut(&mut self) -> &mut NodeCounter {
        &mut self.node_counter
    }

    fn help(&mut self, plan: &Plan, shared_progress: &SharedProgress<Move>) -> Option<Outcome<Move>> {
        S::help(self, plan, shared_progress)
    }

    fn close(&mut self) {
        self.take_stock();
        self.node_counter.publish();
    }
}

impl<P: Policy<Technique>, S: Scheduler> Assistant<Move, Visit> for Worker<P, S> {
    type Scheduler = S;

    fn scheduler(&mut self) -> &mut S {
        &mut self.scheduler
    }

    fn node_counter(&mut self) -> &mut NodeCounter {
        &mut self.node_counter
    }

    fn assist(&mut self, split: &Arc<SplitPoint<Move, Visit>>) {
        S::assist(self, split);
    }
}
