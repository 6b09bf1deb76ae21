//! How a worker takes part in each way of searching together.

use crate::kind::{NodeKind, NonPv, Pv, Root};
use crate::node::Frame;
use crate::picker::{Picker, Purpose};
use crate::stack::{Ply, Stack};
use crate::technique::Technique;
use crate::worker::Worker;
use chess::{Move, Position};
use kernel::driver::Plan;
use kernel::sched::{
    Abdada, Assistant, ParallelWorker, Solo, SplitPoint, Ybwc, help_ybwc, search_root_as_helper,
};
use kernel::{Depth, MAX_PLY, NodeCounter, Outcome, Policy, RootMoves, SharedProgress};
use std::sync::Arc;

/// A way of searching together, as chess uses it.
pub trait Scheduler: kernel::sched::Scheduler<Move, Visit> + Send + Sized + 'static {
    /// Ready for a new search.
    fn reset(&mut self) {}

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

impl Scheduler for Abdada<Move> {
    fn reset(&mut self) {
        Self::reset(self);
    }
}

impl Scheduler for Ybwc<Move, Visit> {
    fn reset(&mut self) {
        Self::reset(self);
    }

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

/// Plies before a node whose moves, evaluations and killers are looked at from it.
const LOOK_BACK: usize = 6;
/// The node itself and its child, whose cutoffs are counted.
const LOOK_ON: usize = 2;

/// The kind of a node, as a value.
#[derive(Clone, Copy, Debug, Default)]
enum Kind {
    Root,
    Pv,
    #[default]
    NonPv,
}

/// What a guest needs to walk through the moves of another worker's node: no more.
#[derive(Clone, Default)]
pub struct Visit {
    kind: Kind,
    position: Position,
    frame: Option<Frame>,
    /// Keys since the last move that cannot be taken back.
    keys: Vec<u64>,
    plies: [Ply; LOOK_BACK + LOOK_ON],
    null_move_from: usize,
    root_depth: Depth,
    /// The root moves that are open, at the root.
    open: Vec<Move>,
}

/// Where a visit is filled from.
pub(crate) struct Host<'a> {
    pub position: &'a Position,
    pub frame: &'a Frame,
    pub keys: &'a [u64],
    pub stack: &'a Stack,
    pub null_move_from: usize,
    pub root_depth: Depth,
    pub root_moves: &'a RootMoves<Move>,
}

impl Visit {
    /// Becomes a picture of the owner's node.
    pub(crate) fn fill<N: NodeKind>(&mut self, host: &Host<'_>) {
        self.kind = match (N::ROOT, N::PV) {
            (true, _) => Kind::Root,
            (_, true) => Kind::Pv,
            _ => Kind::NonPv,
        };
        self.position.clone_from(host.position);
        self.frame = Some(*host.frame);
        let reversible = usize::from(host.position.halfmove_clock()).min(host.keys.len());
        self.keys.clear();
        self.keys.extend_from_slice(&host.keys[host.keys.len() - reversible..]);
        host.stack.copy_around(host.frame.ply, LOOK_BACK, &mut self.plies);
        self.null_move_from = host.null_move_from;
        self.root_depth = host.root_depth;
        self.open.clear();
        if N::ROOT {
            let all = host.root_moves.all();
            self.open.extend(all[host.root_moves.first()..].iter().map(|root| root.mv));
        }
    }
}

impl<P: Policy<Technique>> Worker<P, Ybwc<Move, Visit>> {
    /// Joins a node, searches moves there until none is left or the node is decided, and returns to
    /// where it stood.
    fn join_node(&mut self, split: &Arc<SplitPoint<Move, Visit>>) {
        let Some((mut visit, mut walk, visiting)) = self.scheduler.visit(split, self.node_counter.nodes())
        else {
            self.node_counter.rest();
            return;
        };
        self.node_counter.wake();
        self.node_counter.charge(|costs| costs.join);
        let mut finished = true;
        if let Some(frame) = visit.frame {
            let ply = frame.ply;
            let mut plies = visit.plies;
            self.stack.copy_around(ply, LOOK_BACK, &mut plies);
            self.stack.put_around(ply, LOOK_BACK, &visit.plies);
            visit.keys.reserve(MAX_PLY + 2);
            let keys = std::mem::replace(&mut self.keys, std::mem::take(&mut visit.keys));
            let null_move_from = std::mem::replace(&mut self.null_move_from, visit.null_move_from);
            let root_depth = std::mem::replace(&mut self.root_depth, visit.root_depth);
            let killer = self.stack[ply].killer.filter(|_| self.uses(Technique::Killers));
            let picker = Picker::new(Purpose::Node, frame.tt.mv, killer, frame.in_check, &self.arena);
            let mark = picker.start();

            let position = &visit.position;
            let result = match visit.kind {
                Kind::Root => {
                    self.root_moves = RootMoves::new(visit.open.iter().copied());
                    self.move_loop::<Root, _>(position, &frame, picker, &mut walk)
                }
                Kind::Pv => self.move_loop::<Pv, _>(position, &frame, picker, &mut walk),
                Kind::NonPv => self.move_loop::<NonPv, _>(position, &frame, picker, &mut walk),
            };
            finished = result.is_ok();
            if !finished {
                self.node_counter.charge(|costs| costs.abort);
            }

            self.arena.release(mark);
            self.keys = keys;
            self.null_move_from = null_move_from;
            self.root_depth = root_depth;
            self.stack.put_around(ply, LOOK_BACK, &plies);
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
