//! Turns kept by switching stacks on one thread.
//!
//! Every worker is a coroutine with a stack of its own. The caller resumes the one furthest behind;
//! a worker suspends itself from within [`Pacer::give_way`]. In a debugger this is one ordinary
//! thread: a breakpoint stops the whole parallel search, and a run is repeated by its seed.

use super::order::Order;
use super::timeline::{Pace, Timeline, Turn, WorkerClock};
use crate::sched::pace::{Costs, Pacer};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, ScopedCoroutine, Yielder};
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// Address space for one worker; only what is used is backed by memory.
const STACK_BYTES: usize = 32 << 20;

type Suspender = Yielder<(), ()>;

struct FiberPacer {
    worker_clock: WorkerClock,
    /// Where to suspend; null outside the coroutine.
    suspender: AtomicPtr<Suspender>,
}

impl Pacer for FiberPacer {
    fn costs(&self) -> Costs {
        self.worker_clock.timeline.settings().costs
    }

    fn note(&self, spent: u64) {
        self.worker_clock.note(spent);
    }

    fn give_way(&self, spent: u64) -> u64 {
        self.worker_clock.note(spent);
        let suspender = self.suspender.load(Relaxed);
        // SAFETY: the pointer is null, or was made from the reference that the coroutine's own
        // function was called with, which is valid until that function returns; `SuspenderScope` nulls the
        // pointer before it does. A pacer is handed to one worker only, whose whole search runs
        // inside that function and on that thread, so nobody else can call this meanwhile.
        if let Some(suspender) = unsafe { suspender.as_ref() } {
            suspender.suspend(());
            // Others ran: the search's clock is this worker's again.
            self.worker_clock.note(spent);
        }
        self.worker_clock.turn()
    }
}

/// Sets the pacer's way out for as long as the coroutine runs.
struct SuspenderScope<'a>(&'a FiberPacer);

impl<'a> SuspenderScope<'a> {
    fn new(pacer: &'a FiberPacer, suspender: &Suspender) -> Self {
        pacer.suspender.store(std::ptr::from_ref(suspender).cast_mut(), Relaxed);
        Self(pacer)
    }
}

impl Drop for SuspenderScope<'_> {
    fn drop(&mut self) {
        self.0.suspender.store(null_mut(), Relaxed);
    }
}

fn pacer(timeline: &Arc<Timeline>, worker: usize) -> Arc<FiberPacer> {
    Arc::new(FiberPacer {
        worker_clock: WorkerClock::new(timeline, worker),
        suspender: AtomicPtr::new(null_mut()),
    })
}

/// Runs all workers until they have ended. One for which the system gives no stack gives `None`.
pub fn run<T: 'static, R>(
    timeline: &Arc<Timeline>,
    others: Vec<Turn<T>>,
    main: impl FnOnce(Pace) -> R,
) -> (R, Vec<Option<T>>) {
    let order = timeline.begin();
    let mut answers: Vec<Option<T>> = others.iter().map(|_| None).collect();
    let mut fibers: Vec<Option<Coroutine<(), (), T>>> = others
        .into_iter()
        .enumerate()
        .map(|(index, turn)| {
            let pacer = pacer(timeline, index + 1);
            let stack = DefaultStack::new(STACK_BYTES).ok()?;
            Some(Coroutine::with_stack(stack, move |suspender, ()| {
                let _aboard = SuspenderScope::new(&pacer, suspender);
                turn(Arc::clone(&pacer) as Pace)
            }))
        })
        .collect();
    let first = pacer(timeline, 0);
    let Ok(stack) = DefaultStack::new(STACK_BYTES) else {
        // Not even one stack: the first worker searches alone, on the caller's.
        return (main(first as Pace), answers);
    };
    let fiber = ScopedCoroutine::with_stack(stack, move |suspender: &Suspender, ()| {
        let _aboard = SuspenderScope::new(&first, suspender);
        main(Arc::clone(&first) as Pace)
    });
    let result = fiber.scope(|mut main| {
        take_turns(timeline, order, |worker| {
            if worker == 0 {
                return match main.resume(()) {
                    CoroutineResult::Yield(()) => None,
                    CoroutineResult::Return(result) => Some(Some(result)),
                };
            }
            let fiber = fibers.get_mut(worker - 1)?.as_mut();
            match fiber.map(|fiber| fiber.resume(())) {
                Some(CoroutineResult::Yield(())) => None,
                Some(CoroutineResult::Return(answer)) => {
                    answers[worker - 1] = Some(answer);
                    Some(None)
                }
                None => Some(None),
            }
        })
    });
    (result, answers)
}

/// Resumes workers in order until all have ended; `resume` gives `Some` when one ends, the first
/// worker with its result.
fn take_turns<R>(
    timeline: &Timeline,
    mut order: Order,
    mut resume: impl FnMut(usize) -> Option<Option<R>>,
) -> R {
    let mut result = None;
    loop {
        match order.next() {
            Some(worker) => match resume(worker) {
                None => order.queue(worker, timeline.clock(worker)),
                Some(ended) => result = ended.or(result),
            },
            None => {
                if let Some(result) = result {
                    return result;
                }
            }
        }
    }
}
