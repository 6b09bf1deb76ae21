//! A worker that can search with others, of whichever game.

use super::loop_types::GameMove;
use crate::driver::{Outcome, Plan, Role, Searcher, iterate};
use crate::event::Event;
use crate::node_counter::NodeCounter;
use crate::shared_progress::SharedProgress;

/// A worker that can search with others.
pub trait ParallelWorker: Searcher<Move: GameMove> + Send + Sized + 'static {
    /// Its node counter.
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

/// Lazy SMP (symmetric multiprocessing) and ABDADA: a helper searches the root as the main worker does; `number` tells
/// it from the other helpers.
pub fn search_root_as_helper<W: Searcher>(
    worker: &mut W,
    number: usize,
    plan: &Plan,
    shared_progress: &SharedProgress<W::Move>,
) -> Outcome<W::Move> {
    let plan = helper_plan(plan, number);
    iterate(worker, &plan, Role::Helper, Some(shared_progress), &mut |_: Event<'_, W::Move>| {})
}

/// A helper's plan differs a little from the main worker's, so that no two workers do the same work.
pub fn helper_plan(plan: &Plan, number: usize) -> Plan {
    let wider = |reach: i32| reach + 2 * (number % 4) as i32;
    Plan { aspiration: plan.aspiration.map(wider), ahead: (number % 2) as i32, ..*plan }
}

/// Declares how a game's `Worker<P, S>` takes part in each way of searching together: its trait `Scheduler`, which
/// the schedulers implement, and the worker's [`ParallelWorker`] and [`SplitHelper`](super::SplitHelper).
///
/// The worker has the fields `scheduler` and `node_counter`, and with the scheduler of Young Brothers Wait a method
/// `search_snapshot(&mut self, snapshot, walk) -> Result<(), Stop>` that searches the moves of another worker's node.
#[macro_export]
macro_rules! parallel_worker {
    ($vis:vis trait $scheduler:ident for $worker:ident, $technique:ty, $mv:ty, $snapshot:ty) => {
        /// A way of searching together, as this game uses it.
        $vis trait $scheduler: $crate::sched::Scheduler<$mv, $snapshot> + Send + Sized + 'static {
            /// Searches moves of another worker's node.
            fn assist<P: $crate::Policy<$technique>>(
                _worker: &mut $worker<P, Self>,
                _split: &::std::sync::Arc<$crate::sched::SplitPoint<$mv, $snapshot>>,
            ) {
            }

            /// A helper's whole search; what it came to, if it searched the root itself.
            fn help<P: $crate::Policy<$technique>>(
                worker: &mut $worker<P, Self>,
                plan: &$crate::driver::Plan,
                shared_progress: &$crate::SharedProgress<$mv>,
            ) -> Option<$crate::Outcome<$mv>> {
                let number = worker.node_counter.worker();
                Some($crate::sched::search_root_as_helper(worker, number, plan, shared_progress))
            }
        }

        impl $scheduler for $crate::sched::Solo {}

        impl $scheduler for $crate::sched::Abdada<$mv> {}

        impl $scheduler for $crate::sched::Ybwc<$mv, $snapshot> {
            fn assist<P: $crate::Policy<$technique>>(
                worker: &mut $worker<P, Self>,
                split: &::std::sync::Arc<$crate::sched::SplitPoint<$mv, $snapshot>>,
            ) {
                $crate::sched::join_split_point(worker, split, |worker, snapshot, walk| {
                    worker.search_snapshot(snapshot, walk)
                });
            }

            fn help<P: $crate::Policy<$technique>>(
                worker: &mut $worker<P, Self>,
                plan: &$crate::driver::Plan,
                shared_progress: &$crate::SharedProgress<$mv>,
            ) -> Option<$crate::Outcome<$mv>> {
                $crate::sched::help_ybwc(worker, plan, shared_progress)
            }
        }

        impl<P: $crate::Policy<$technique>, S: $scheduler> $crate::sched::ParallelWorker for $worker<P, S> {
            fn node_counter_mut(&mut self) -> &mut $crate::NodeCounter {
                &mut self.node_counter
            }

            fn help(
                &mut self,
                plan: &$crate::driver::Plan,
                shared_progress: &$crate::SharedProgress<$mv>,
            ) -> Option<$crate::Outcome<$mv>> {
                S::help(self, plan, shared_progress)
            }

            fn close(&mut self) {
                $crate::sched::SplitHelper::collect_counts(self);
                self.node_counter.publish();
            }
        }

        impl<P: $crate::Policy<$technique>, S: $scheduler> $crate::sched::SplitHelper<$mv, $snapshot>
            for $worker<P, S>
        {
            type Scheduler = S;

            fn scheduler(&mut self) -> &mut S {
                &mut self.scheduler
            }

            fn node_counter(&mut self) -> &mut $crate::NodeCounter {
                &mut self.node_counter
            }

            fn assist(&mut self, split: &::std::sync::Arc<$crate::sched::SplitPoint<$mv, $snapshot>>) {
                S::assist(self, split);
            }
        }
    };
}
