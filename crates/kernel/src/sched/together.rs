//! One search by several workers, real or virtual, of whichever game.

use super::pool::Job;
use super::virtual_time::{self, Pace, Turn};
use super::{Assistant, Choice, Pool, Timeline, Ybwc};
use crate::board::Board;
use crate::driver::{Outcome, Plan, Role, Searcher, announce, elect, iterate};
use crate::event::{Event, Sink};
use crate::pulse::Pulse;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A worker that can search with others.
pub trait Teammate: Searcher<Move: Choice> + Send + Sized + 'static {
    /// Its pulse.
    fn pulse_mut(&mut self) -> &mut Pulse;

    /// A helper's whole search; what it came to, if it searched the root itself.
    fn help(&mut self, plan: &Plan, board: &Board<Self::Move>) -> Option<Outcome<Self::Move>> {
        let number = self.pulse().worker();
        Some(race(self, number, plan, board))
    }

    /// The search is over: everything counted is published.
    fn close(&mut self) {
        self.pulse_mut().publish();
    }
}

/// Lazy SMP and ABDADA: a helper searches the root as everybody does; `number` tells it from the others who do.
pub fn race<W: Searcher>(
    worker: &mut W,
    number: usize,
    plan: &Plan,
    board: &Board<W::Move>,
) -> Outcome<W::Move> {
    let plan = helper_plan(plan, number);
    iterate(worker, &plan, Role::Helper, Some(board), &mut |_: Event<'_, W::Move>| {})
}

/// Young Brothers Wait, in one team or several: who leads a team searches the root, the others serve.
pub fn join_in<W, F>(worker: &mut W, plan: &Plan, board: &Board<W::Move>) -> Option<Outcome<W::Move>>
where
    W: Teammate + Assistant<W::Move, F, Scheduler = Ybwc<W::Move, F>>,
    F: Default + Clone,
{
    let Some(number) = worker.scheduler().leads() else {
        serve(worker);
        return None;
    };
    Some(race(worker, number, plan, board))
}

/// Young Brothers Wait: a helper joins one node after another until the search is over.
pub fn serve<M: Choice, F: Default + Clone>(worker: &mut impl Assistant<M, F, Scheduler = Ybwc<M, F>>) {
    while !worker.pulse().session().control().is_stopped() {
        match worker.scheduler().look_for_work(None) {
            Some(split) => {
                worker.assist(&split);
                worker.take_stock();
            }
            None => worker.pulse().rest(),
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
pub fn together<W: Teammate>(
    workers: &mut Vec<Box<W>>,
    plan: &Plan,
    pool: &mut Pool,
    timeline: Option<&Arc<Timeline>>,
    sink: &mut dyn Sink<W::Move>,
) -> Option<Outcome<W::Move>> {
    if workers.is_empty() {
        return None;
    }
    let board = Arc::new(Board::default());
    let helpers: Vec<_> = workers.drain(1..).collect();
    let main = workers.first_mut()?;
    let session = Arc::clone(main.pulse().session());
    let helping = |mut helper: Box<W>| {
        let (board, plan, session) = (Arc::clone(&board), *plan, Arc::clone(&session));
        move |pace: Option<Pace>| {
            let searched = catch_unwind(AssertUnwindSafe(|| {
                if let Some(pace) = pace {
                    helper.pulse_mut().set_pacer(pace);
                }
                let outcome = helper.help(&plan, &board);
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
                main.pulse_mut().set_pacer(pace);
            }
            let board = is_team.then_some(&*board);
            let outcome = iterate(&mut **main, plan, Role::Main, board, sink);
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
        virtual_time::run(timeline, pool, turns, |pace| leading(Some(pace)))
    } else {
        let jobs = helpers.map(|help| Box::new(move || help(None)) as Job<_>).collect();
        pool.run(jobs, || leading(None))
    };
    let mut outcomes = vec![outcome?];
    for (helper, outcome) in answers.into_iter().flatten().flatten() {
        workers.push(helper);
        outcomes.extend(outcome);
    }
    let elected = if plan.lines == 1 { elect(&outcomes) } else { 0 };
    let outcome = outcomes.swap_remove(elected);
    if elected != 0 {
        announce(&mut **workers.first_mut()?, &outcome, sink);
    }
    Some(outcome)
}
