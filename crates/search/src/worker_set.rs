//! The workers of a pool, by scheduler, and the policies that the search is compiled for.

use crate::team::NodeSnapshot;
use crate::technique::Technique;
use crate::worker::Worker;
use chess::Move;
use kernel::driver::Plan;
use kernel::sched::{Abdada, Ranks, SearchEnd, Solo, ThreadPool, Timeline, Ybwc, parallel_search};
use kernel::{Lab, Policy, Release, Sink};
use std::sync::Arc;

pub(crate) type Workers<P, S> = Vec<Box<Worker<P, S>>>;

/// Workers of one kind. A single worker is always `Solo`: the serial search.
pub enum WorkerSet<P> {
    /// The serial search, and Lazy SMP.
    Solo(Workers<P, Solo>),
    /// Young Brothers Wait, alone or in teams.
    Ybwc(Workers<P, Ybwc<Move, NodeSnapshot>>),
    /// ABDADA.
    Abdada(Workers<P, Abdada<Move>>),
}

macro_rules! each {
    ($set:expr, $workers:ident => $body:expr) => {
        match $set {
            WorkerSet::Solo($workers) => $body,
            WorkerSet::Ybwc($workers) => $body,
            WorkerSet::Abdada($workers) => $body,
        }
    };
}
pub(crate) use each;

impl<P: Policy<Technique>> WorkerSet<P> {
    /// Searches with all workers; `None` when the first one failed.
    pub fn search(
        &mut self,
        plan: &Plan,
        thread_pool: &mut ThreadPool,
        timeline: Option<&Arc<Timeline>>,
        ranks: &Ranks<Move>,
        sink: &mut dyn Sink<Move>,
    ) -> Option<SearchEnd<Move>> {
        each!(self, workers => parallel_search(workers, plan, thread_pool, timeline, ranks, sink))
    }
}

/// A policy that the search is compiled for. Without this trait every crate and every test that owns a pool would compile
/// the whole search again, for each scheduler.
pub trait CompiledPolicy: Policy<Technique> {
    /// [`WorkerSet::search`], compiled where the trait is implemented.
    fn search(
        workers: &mut WorkerSet<Self>,
        plan: &Plan,
        thread_pool: &mut ThreadPool,
        timeline: Option<&Arc<Timeline>>,
        ranks: &Ranks<Move>,
        sink: &mut dyn Sink<Move>,
    ) -> Option<SearchEnd<Move>>;
}

macro_rules! compile_policy {
    ($policy:ty) => {
        impl CompiledPolicy for $policy {
            fn search(
                workers: &mut WorkerSet<Self>,
                plan: &Plan,
                thread_pool: &mut ThreadPool,
                timeline: Option<&Arc<Timeline>>,
                ranks: &Ranks<Move>,
                sink: &mut dyn Sink<Move>,
            ) -> Option<SearchEnd<Move>> {
                workers.search(plan, thread_pool, timeline, ranks, sink)
            }
        }
    };
}

compile_policy!(Release);
compile_policy!(Lab<Technique>);
