//! How a worker takes part in each way of searching together.

use crate::kind::{NodeKind, Pv, Root, Zero};
use crate::node::Frame;
use crate::picker::{Picker, Purpose};
use crate::stack::{Ply, Stack};
use crate::technique::Technique;
use crate::worker::Worker;
use chess::{Move, Position};
use kernel::driver::Plan;
use kernel::sched::{Abdada, Assistant, Solo, Split, Teammate, Ybwc, join_in, race};
use kernel::{Board, Depth, MAX_PLY, Outcome, Policy, Pulse, Roots};
use std::sync::Arc;

/// A way of searching together, as chess uses it.
pub trait Scheduler: kernel::sched::Scheduler<Move, Visit> + Send + Sized + 'static {
    /// Ready for a new search.
    fn reset(&mut self) {}

    /// Searches moves of another worker's node.
    fn assist<P: Policy<Technique>>(_worker: &mut Worker<P, Self>, _split: &Arc<Split<Move, Visit>>) {}

    /// A helper's whole search; what it came to, if it searched the root itself.
    fn help<P: Policy<Technique>>(
        worker: &mut Worker<P, Self>,
        plan: &Plan,
        board: &Board<Move>,
    ) -> Option<Outcome<Move>> {
        let number = worker.pulse.worker();
        Some(race(worker, number, plan, board))
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

    fn assist<P: Policy<Technique>>(worker: &mut Worker<P, Self>, split: &Arc<Split<Move, Visit>>) {
        worker.join_node(split);
    }

    fn help<P: Policy<Technique>>(
        worker: &mut Worker<P, Self>,
        plan: &Plan,
        board: &Board<Move>,
    ) -> Option<Outcome<Move>> {
        join_in(worker, plan, board)
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
    Zero,
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
    pub roots: &'a Roots<Move>,
}

impl Visit {
    /// Becomes a picture of the owner's node.
    pub(crate) fn fill<N: NodeKind>(&mut self, host: &Host<'_>) {
        self.kind = match (N::ROOT, N::PV) {
            (true, _) => Kind::Root,
            (_, true) => Kind::Pv,
            _ => Kind::Zero,
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
            let all = host.roots.all();
            self.open.extend(all[host.roots.first()..].iter().map(|root| root.mv));
        }
    }
}

impl<P: Policy<Technique>> Worker<P, Ybwc<Move, Visit>> {
    /// Joins a node, searches moves there until none is left or the node is decided, and returns to
    /// where it stood.
    fn join_node(&mut self, split: &Arc<Split<Move, Visit>>) {
        let Some((mut visit, mut walk, visiting)) = self.scheduler.visit(split, self.pulse.nodes()) else {
            self.pulse.rest();
            return;
        };
        self.pulse.wake();
        self.pulse.charge(|costs| costs.join);
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
            let picker = Picker::new(Purpose::Node, frame.memory.mv, killer, frame.in_check, &self.arena);
            let mark = picker.start();

            let position = &visit.position;
            let result = match visit.kind {
                Kind::Root => {
                    self.roots = Roots::new(visit.open.iter().copied());
                    self.move_loop::<Root, _>(position, &frame, picker, &mut walk)
                }
                Kind::Pv => self.move_loop::<Pv, _>(position, &frame, picker, &mut walk),
                Kind::Zero => self.move_loop::<Zero, _>(position, &frame, picker, &mut walk),
            };
            finished = result.is_ok();
            if !finished {
                self.pulse.charge(|costs| costs.abort);
            }

            self.arena.release(mark);
            self.keys = keys;
            self.null_move_from = null_move_from;
            self.root_depth = root_depth;
            self.stack.put_around(ply, LOOK_BACK, &plies);
        }
        self.scheduler.depart(visiting, self.pulse.nodes(), finished);
    }
}

impl<P: Policy<Technique>, S: Scheduler> Teammate for Worker<P, S> {
    fn pulse_mut(&mut self) -> &mut Pulse {
        &mut self.pulse
    }

    fn help(&mut self, plan: &Plan, board: &Board<Move>) -> Option<Outcome<Move>> {
        S::help(self, plan, board)
    }

    fn close(&mut self) {
        self.take_stock();
        self.pulse.publish();
    }
}

impl<P: Policy<Technique>, S: Scheduler> Assistant<Move, Visit> for Worker<P, S> {
    type Scheduler = S;

    fn scheduler(&mut self) -> &mut S {
        &mut self.scheduler
    }

    fn pulse(&mut self) -> &mut Pulse {
        &mut self.pulse
    }

    fn assist(&mut self, split: &Arc<Split<Move, Visit>>) {
        S::assist(self, split);
    }
}
