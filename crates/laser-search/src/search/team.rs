//! How a worker takes part in each way of searching together.

use std::sync::Arc;

use kernel::driver::Plan;
use kernel::sched::{Abdada, Assistant, Solo, Split, Teammate, Ybwc, join_in, race};
use kernel::{Board, MAX_PLY, Outcome, Policy, Pulse, Roots};
use laser::Move;

use super::node::{NodeKind, Pv, Root, Scout, Setting};
use super::technique::Technique;
use super::worker::{Frame, Worker};
use crate::eval::trail::Trail;

/// A way of searching together, as Leiserchess uses it.
pub(crate) trait Scheduler: kernel::sched::Scheduler<Move, Visit> + Send + Sized + 'static {
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

impl Scheduler for Abdada<Move> {}

impl Scheduler for Ybwc<Move, Visit> {
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

/// The kind of a node, as a value.
#[derive(Clone, Copy, Default)]
enum Kind {
    Root,
    Pv,
    #[default]
    Scout,
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
    pub(crate) roots: &'a Roots<Move>,
}

impl Visit {
    /// Becomes a picture of the owner's node.
    pub(crate) fn fill<N: NodeKind>(&mut self, host: &Host<'_>) {
        self.kind = match (N::ROOT, N::PV) {
            (true, _) => Kind::Root,
            (_, true) => Kind::Pv,
            _ => Kind::Scout,
        };
        self.setting = Some(*host.setting);
        self.keys.clear();
        self.keys.extend_from_slice(host.keys);
        let (from, count) = around(host.setting.ply);
        self.frames[..count].copy_from_slice(&host.frames[from..from + count]);
        self.open.clear();
        if N::ROOT {
            let all = host.roots.all();
            self.open.extend(all[host.roots.first()..].iter().map(|root| root.mv));
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
    fn join_node(&mut self, split: &Arc<Split<Move, Visit>>) {
        let Some((mut visit, mut walk, visiting)) = self.scheduler.visit(split, self.pulse.nodes()) else {
            self.pulse.rest();
            return;
        };
        self.pulse.wake();
        self.pulse.charge(|costs| costs.join);
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
                    self.roots = Roots::new(visit.open.iter().copied());
                    self.try_moves::<Root, _>(&setting, &beam, &mut walk)
                }
                Kind::Pv => self.try_moves::<Pv, _>(&setting, &beam, &mut walk),
                Kind::Scout => self.try_moves::<Scout, _>(&setting, &beam, &mut walk),
            };
            finished = result.is_ok();
            if !finished {
                self.pulse.charge(|costs| costs.abort);
            }

            self.keys = keys;
            self.frames[from..from + count].copy_from_slice(&frames[..count]);
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
