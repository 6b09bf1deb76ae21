//! One search by several workers, real or virtual, of whichever game.

use super::thread_pool::Job;
use super::virtual_time::{self, Pace, Turn};
use super::{Assistant, GameMove, ThreadPool, Timeline, Ybwc};
use crate::driver::{Outcome, Plan, Role, Searcher, iterate, report_elected, vote};
use crate::event::{Event, Sink};
use crate::node_counter::NodeCounter;
use crate::shared_progress::SharedProgress;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A worker that can search with others.
pub trait ParallelWorker: Searcher<Move: GameMove> + Send + Sized + 'static {
    /// Its node_counter.
    fn node_counter_mut(&mut self) -> &mut NodeCounter;

    /// A helper's whole search; what it came to, if it searched the root itself.
    fn help(
        &mut self,
        plan: &Plan,
        shared_progress: &SharedProgress<Self::Move>,
    ) -> Option<Outcome<Self::Move>> {
        let number = self.node_counter().worker();
        Some(search_root_as_helper(self, number, plan, shared_progress))
    }

    /// The search is over: everything counted is published.
    fn close(&mut self) {
        self.node_counter_mut().publish();
    }
}

/// Lazy SMP and ABDADA: a helper searches the root as everybody does; `number` tells it from the others who do.
pub fn search_root_as_helper<W: Searcher>(
    worker: &mut W,
    number: usize,
    plan: &Plan,
    shared_progress: &SharedProgress<W::Move>,
) -> Outcome<W::Move> {
    let plan = helper_plan(plan, number);
    iterate(worker, &plan, Role::Helper, Some(shared_progress), &mut |_: Event<'_, W::Move>| {})
}

/// Young Brothers Wait, in one team or several: who leads a team searches the root, the others serve.
pub fn help_ybwc<W, F>(
    worker: &mut W,
    plan: &Plan,
    shared_progress: &SharedProgress<W::Move>,
) -> Option<Outcome<W::Move>>
where
    W: ParallelWorker + Assistant<W::Move, F, Scheduler = Ybwc<W::Move, F>>,
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
    worker: &mut impl Assistant<M, F, Scheduler = Ybwc<M, F>>,
) {
    while !worker.node_counter().session().control().is_stopped() {
        match worker.scheduler().look_for_work(None) {
            Some(split) => {
                worker.assist(&split);
                worker.take_stock();
            }
            None => worker.node_counter().rest(),
        }
    }
    worker.scheduler().set_waits(false);
}

/// A helper's plan: alike, but not quite the same, so that no two workers do the same work.
fn helper_plan(plan: &Plan, number: usize) -> Plan {
    let wider = |reach: i32| reach + 2 * (number % 4) as i32;
    Plan { aspiration: plan.aspiration.map(wider), ahead: (number % 2) as i32, ..*plan }
}

/// The first worker searches as the main one, the others help. `None` when the first one failed;
/// a helper that failed is missing afterwards, and ends the search.
pub fn parallel_search<W: ParallelWorker>(
    workers: &mut Vec<Box<W>>,
    plan: &Plan,
    thread_pool: &mut ThreadPool,
    timeline: Option<&Arc<Timeline>>,
    sink: &mut dyn Sink<W::Move>,
) -> Option<Outcome<W::Move>> {
    if workers.is_empty() {
        return None;
    }
    let shared_progress = Arc::new(SharedProgress::default());
    let helpers: Vec<_> = workers.drain(1..).collect();
    let main = workers.first_mut()?;
    let session = Arc::clone(main.node_counter().session());
    let helping = |mut helper: Box<W>| {
        let (shared_progress, plan, session) = (Arc::clone(&shared_progress), *plan, Arc::clone(&session));
        move |pace: Option<Pace>| {
            let searched = catch_unwind(AssertUnwindSafe(|| {
                if let Some(pace) = pace {
                    helper.node_counter_mut().set_pacer(pace);
                }
                let outcome = helper.help(&plan, &shared_progress);
                helper.close();
                (helper, outcome)
            }));
            if searched.is_err() {
                // Nobody knows what it was about to find: end the search with what is known.
                session.control().stop();
            }
            searched.ok()
        }
    };
    let is_team = !helpers.is_empty();
    let mut leading = |pace: Option<Pace>| {
        let searched = catch_unwind(AssertUnwindSafe(|| {
            if let Some(pace) = pace {
                main.node_counter_mut().set_pacer(pace);
            }
            let shared_progress = is_team.then_some(&*shared_progress);
            let outcome = iterate(&mut **main, plan, Role::Main, shared_progress, sink);
            main.close();
            outcome
        }));
        if searched.is_err() {
            session.control().stop();
        }
        searched.ok()
    };
    let helpers = helpers.into_iter().map(helping);
    let (outcome, answers) = if let Some(timeline) = timeline {
        let turns = helpers.map(|help| Box::new(move |pace| help(Some(pace))) as Turn<_>).collect();
        virtual_time::run(timeline, thread_pool, turns, |pace| leading(Some(pace)))
    } else {
        let jobs = helpers.map(|help| Box::new(move || help(None)) as Job<_>).collect();
        thread_pool.run(jobs, || leading(None))
    };
    let mut outcomes = vec![outcome?];
    for (helper, outcome) in answers.into_iter().flatten().flatten() {
        workers.push(helper);
        outcomes.extend(outcome);
    }
    let elected = if plan.lines == 1 { vote(&outcomes) } else { 0 };
    let outcome = outcomes.swap_remove(elected);
    if elected != 0 {
        report_elected(&mut **workers.first_mut()?, &outcome, sink);
    }
    Some(outcome)
}
