//! The clocks of virtual workers.

use super::order::Order;
use crate::clock::Clock;
use crate::sched::pace::{Costs, Pacer};
use common::Random;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Nanoseconds of virtual time to a node above the horizon.
pub(super) const NODE_NANOSECONDS: u64 = 1000;

/// The most workers that may share a timeline.
pub const MOST_WORKERS: usize = 1024;

/// How turns are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// Stacks switched on one thread.
    #[default]
    Fibers,
    /// A token passed among threads.
    Token,
}

/// What decides a virtual run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VirtualSettings {
    /// Workers.
    pub workers: usize,
    /// Nodes a worker may search before those behind it have a turn.
    pub quantum: u64,
    /// Decides ties, offsets and the length of turns.
    pub seed: u64,
    /// What work costs.
    pub costs: Costs,
    /// How turns are kept; it does not change the run.
    pub backend: Backend,
}

impl VirtualSettings {
    /// One worker, and turns far shorter than any shared subtree.
    pub const DEFAULT: Self =
        Self { workers: 1, quantum: 64, seed: 1, costs: Costs::CALIBRATED, backend: Backend::Fibers };
}

impl Default for VirtualSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The clocks of all workers, and the clock of the search: the time of whoever is running.
pub struct Timeline {
    settings: VirtualSettings,
    /// Units each worker has spent in this search, its offset included.
    clocks: Box<[AtomicU64]>,
    /// When the present search began, in units.
    origin: AtomicU64,
    /// The running worker's time, in units since the search began.
    now: AtomicU64,
}

impl Timeline {
    /// A timeline that reads zero.
    pub fn new(settings: VirtualSettings) -> Self {
        let workers = settings.workers.clamp(1, MOST_WORKERS);
        Self {
            settings: VirtualSettings { workers, ..settings },
            clocks: (0..workers).map(|_| AtomicU64::new(0)).collect(),
            origin: AtomicU64::new(0),
            now: AtomicU64::new(0),
        }
    }

    /// What decides the run.
    pub fn settings(&self) -> &VirtualSettings {
        &self.settings
    }

    /// A new search begins when the last one ended. Workers after the first start at offsets below
    /// one quantum, for threads never start at once.
    pub(super) fn begin(&self) -> Order {
        self.origin.fetch_add(self.now.swap(0, Relaxed), Relaxed);
        let mut order = Order::default();
        let spread = self.settings.quantum.max(1) * self.settings.costs.node;
        for (worker, clock) in self.clocks.iter().enumerate() {
            let offset =
                if worker == 0 { 0 } else { Random::nth(self.settings.seed, worker as u64) % spread };
            clock.store(offset, Relaxed);
            order.queue(worker, offset);
        }
        order
    }

    pub(super) fn clock(&self, worker: usize) -> u64 {
        self.clocks[worker].load(Relaxed)
    }

    fn set(&self, worker: usize, units: u64) {
        self.clocks[worker].store(units, Relaxed);
        self.now.store(units, Relaxed);
    }
}

impl Clock for Timeline {
    fn now(&self) -> Duration {
        let units = self.origin.load(Relaxed) + self.now.load(Relaxed);
        Duration::from_nanos(units * NODE_NANOSECONDS / self.settings.costs.node)
    }
}

/// One worker's view of the timeline.
pub(super) struct WorkerClock {
    pub timeline: std::sync::Arc<Timeline>,
    pub worker: usize,
    offset: u64,
    turns: AtomicU64,
}

impl WorkerClock {
    pub fn new(timeline: &std::sync::Arc<Timeline>, worker: usize) -> Self {
        let timeline = std::sync::Arc::clone(timeline);
        let offset = timeline.clock(worker);
        Self { timeline, worker, offset, turns: AtomicU64::new(0) }
    }

    pub fn note(&self, spent: u64) {
        self.timeline.set(self.worker, self.offset + spent);
    }

    /// The length of the next turn: about a quantum, never the same rhythm for two workers.
    pub fn turn(&self) -> u64 {
        let settings = self.timeline.settings();
        let number = self.turns.fetch_add(1, Relaxed);
        let random = Random::nth(settings.seed.wrapping_add(self.worker as u64) << 32, number);
        let quantum = settings.quantum.max(1);
        quantum / 2 + random % (quantum + 1) + u64::from(quantum == 1)
    }
}

/// What runs as the first worker, on the caller's side.
pub type Pace = std::sync::Arc<dyn Pacer>;
/// What runs as another worker.
pub type Turn<T> = Box<dyn FnOnce(Pace) -> T + Send>;
