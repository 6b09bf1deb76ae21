//! One search by several workers, real or virtual, of whichever game.

use super::parallel_worker::ParallelWorker;
use super::thread_pool::{Job, ThreadPool};
use super::virtual_time::{self, Pace, Timeline, Turn};
use crate::driver::{Outcome, Plan, Role, iterate, report_elected, vote};
use crate::event::Sink;
use crate::shared_progress::SharedProgress;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

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
                // Its part of the tree is lost: end the search with what is known.
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
