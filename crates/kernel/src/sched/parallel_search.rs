//! One search by several workers, real or virtual, of whichever game.

use super::parallel_worker::ParallelWorker;
use super::ranks::Ranks;
use super::thread_pool::{Job, ThreadPool};
use super::virtual_time::{self, Pace, Timeline, Turn};
use crate::driver::{Outcome, Plan, Role, Searcher, conclude, iterate, report_elected, vote};
use crate::event::Sink;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// How long the vote waits for a helper. On a free core a helper notices the end within its next 512 nodes, which is less
/// than this. One that the system does not run at the moment would hold up the move until it is its turn.
const VOTE_WAIT: Duration = Duration::from_millis(2);

/// What a search by several workers came to.
pub struct SearchEnd<M> {
    /// The result of the worker that was elected.
    pub outcome: Outcome<M>,
    /// A helper had failed before the vote. Its part of the tree is missing, and the result is not given out yet.
    pub has_failed: bool,
}

/// The first worker searches as the main one, the others help. The result is given out ([`conclude`]) as soon as there
/// is one; then the helpers that are not yet back are waited for. `None` when the first one failed; a helper that
/// failed is missing afterwards, and ends the search. The result is that of the first rank.
pub fn parallel_search<W: ParallelWorker>(
    workers: &mut Vec<Box<W>>,
    plan: &Plan,
    thread_pool: &mut ThreadPool,
    timeline: Option<&Arc<Timeline>>,
    ranks: &Ranks<W::Move>,
    sink: &mut dyn Sink<W::Move>,
) -> Option<SearchEnd<W::Move>> {
    if workers.is_empty() {
        return None;
    }
    let helpers: Vec<_> = workers.drain(1..).collect();
    let main = workers.first_mut()?;
    let session = Arc::clone(main.node_counter().session());
    let helping = |(index, mut helper): (usize, Box<W>)| {
        let rank = ranks.of(index + 1);
        let (shared_progress, plan, session) = (Arc::clone(&rank.progress), *plan, Arc::clone(&session));
        helper.node_counter_mut().join_rank(shared_progress.finished_depth(), rank.exchange.clone());
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
    let shares = !helpers.is_empty() || ranks.has_peers();
    let rank = ranks.of(0);
    main.node_counter_mut().join_rank(rank.progress.finished_depth(), rank.exchange.clone());
    let mut leading = |pace: Option<Pace>| {
        let searched = catch_unwind(AssertUnwindSafe(|| {
            if let Some(pace) = pace {
                main.node_counter_mut().set_pacer(pace);
            }
            let shared_progress = shares.then_some(&*rank.progress);
            let outcome = iterate(&mut **main, plan, Role::Main, shared_progress, sink);
            main.close();
            outcome
        }));
        if searched.is_err() {
            session.control().stop();
        }
        searched.ok()
    };
    let helpers = helpers.into_iter().enumerate().map(helping);
    if let Some(timeline) = timeline {
        let turns = helpers.map(|help| Box::new(move |pace| help(Some(pace))) as Turn<_>).collect();
        let (outcome, answers) = virtual_time::run(timeline, thread_pool, turns, |pace| leading(Some(pace)));
        let end = elect(&mut **main, plan, outcome, ranks.of_first(&answers), sink);
        workers.extend(returned(answers));
        return end;
    }
    let jobs: Vec<Job<_>> = helpers.map(|help| Box::new(move || help(None)) as Job<_>).collect();
    let mut running = thread_pool.start(jobs);
    let outcome = leading(None);
    if plan.lines == 1 {
        running.wait_at_most(VOTE_WAIT);
    }
    let end = elect(&mut **main, plan, outcome, running.answers(), sink);
    workers.extend(returned(running.wait()));
    end
}

/// A helper and what it came to, if it searched the root; `None` when it panicked.
type HelperAnswer<W> = Option<(Box<W>, Option<Outcome<<W as Searcher>::Move>>)>;

/// Elects the result of one of those that have answered, and gives it out unless one of them failed.
fn elect<W: ParallelWorker>(
    main: &mut W,
    plan: &Plan,
    outcome: Option<Outcome<W::Move>>,
    answers: &[Option<HelperAnswer<W>>],
    sink: &mut dyn Sink<W::Move>,
) -> Option<SearchEnd<W::Move>> {
    let mut outcomes = vec![outcome?];
    let answered = || answers.iter().flatten();
    outcomes.extend(answered().flatten().filter_map(|(_, outcome)| outcome.clone()));
    let elected = if plan.lines == 1 { vote(&outcomes) } else { 0 };
    let outcome = outcomes.swap_remove(elected);
    if elected != 0 {
        report_elected(main, &outcome, sink);
    }
    let has_failed = answered().any(Option::is_none);
    if !has_failed {
        conclude(&outcome, sink);
    }
    Some(SearchEnd { outcome, has_failed })
}

/// The helpers that came back.
fn returned<W: ParallelWorker>(answers: Vec<Option<HelperAnswer<W>>>) -> impl Iterator<Item = Box<W>> {
    answers.into_iter().flatten().flatten().map(|(helper, _)| helper)
}
