//! Turns kept by passing a token among threads: the safe twin of the fibers, a thousand times
//! slower at switching.

use super::order::Order;
use super::timeline::{Pace, Timeline, Turn, WorkerClock};
use crate::sched::pace::{Costs, Pacer};
use crate::sched::thread_pool::{Job, ThreadPool};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

struct Token {
    holder: Option<usize>,
    order: Order,
}

struct Circle {
    token: Mutex<Token>,
    places: Box<[Condvar]>,
}

impl Circle {
    fn lock(&self) -> MutexGuard<'_, Token> {
        self.token.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes the token to the worker that is furthest behind.
    fn pass(&self, token: &mut Token) {
        token.holder = token.order.next();
        if let Some(holder) = token.holder {
            self.places[holder].notify_one();
        }
    }

    fn wait_for(&self, worker: usize, mut token: MutexGuard<'_, Token>) {
        while token.holder != Some(worker) {
            token = self.places[worker].wait(token).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

struct TokenPacer {
    worker_clock: WorkerClock,
    circle: Arc<Circle>,
}

impl Pacer for TokenPacer {
    fn costs(&self) -> Costs {
        self.worker_clock.timeline.settings().costs
    }

    fn note(&self, spent: u64) {
        self.worker_clock.note(spent);
    }

    fn give_way(&self, spent: u64) -> u64 {
        self.worker_clock.note(spent);
        let mut token = self.circle.lock();
        token
            .order
            .queue(self.worker_clock.worker, self.worker_clock.timeline.clock(self.worker_clock.worker));
        self.circle.pass(&mut token);
        self.circle.wait_for(self.worker_clock.worker, token);
        self.worker_clock.note(spent);
        self.worker_clock.turn()
    }
}

/// Takes part from the first turn on, and passes the token on at the end, even in a panic.
struct Member(Arc<TokenPacer>);

impl Member {
    fn new(pacer: Arc<TokenPacer>) -> Self {
        pacer.circle.wait_for(pacer.worker_clock.worker, pacer.circle.lock());
        Self(pacer)
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let mut token = self.0.circle.lock();
        self.0.circle.pass(&mut token);
    }
}

/// Runs all workers until they have ended. One for which the system gives no thread gives `None`.
pub fn run<T: Send + 'static, R>(
    timeline: &Arc<Timeline>,
    thread_pool: &mut ThreadPool,
    others: Vec<Turn<T>>,
    main: impl FnOnce(Pace) -> R,
) -> (R, Vec<Option<T>>) {
    let mut order = timeline.begin();
    if thread_pool.resize(others.len().max(thread_pool.len())).is_err() {
        // A worker without a thread must not be waited for.
        let mut kept = Order::default();
        while let Some(worker) = order.next() {
            if worker <= thread_pool.len() {
                kept.queue(worker, timeline.clock(worker));
            }
        }
        order = kept;
    }
    let workers = others.len() + 1;
    let token = Token { holder: order.next(), order };
    let places = (0..workers).map(|_| Condvar::new()).collect();
    let circle = Arc::new(Circle { token: Mutex::new(token), places });
    let member = |worker| {
        let worker_clock = WorkerClock::new(timeline, worker);
        Arc::new(TokenPacer { worker_clock, circle: Arc::clone(&circle) })
    };
    let jobs = others
        .into_iter()
        .enumerate()
        .map(|(index, turn)| {
            let pacer = member(index + 1);
            Box::new(move || {
                let member = Member::new(pacer);
                turn(Arc::clone(&member.0) as Pace)
            }) as Job<T>
        })
        .collect();
    let first = member(0);
    thread_pool.run(jobs, || {
        let member = Member::new(first);
        main(Arc::clone(&member.0) as Pace)
    })
}
