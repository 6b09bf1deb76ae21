//! The thread that searches, alive as long as the engine, and the orders it carries out one after another. Where the system has
//! no threads at all (WebAssembly in a page that is not isolated), orders wait in the queue of whoever gives them.

use crate::fault::{Fault, catch};
use crate::options::error::OptionError;
use crate::policy_pool::{PolicyPool, PoolHandle, PoolSetup};
use crate::stop_signal::StopSignal;
use common::background;
use kernel::time::TimeSettings;
use kernel::{Clock, Limits, SearchSession};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

struct Order {
    work: Box<dyn FnOnce(&mut PolicyPool) + Send>,
    /// Given back when the order is done, refused, or lost.
    _place: Place,
}

/// Counts orders not yet carried out.
#[derive(Default)]
struct Busy {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Busy {
    fn lock(&self) -> std::sync::MutexGuard<'_, usize> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One order in the count. The count falls however the order ends.
struct Place(Arc<Busy>);

impl Place {
    fn take(busy: &Arc<Busy>) -> Place {
        *busy.lock() += 1;
        Place(Arc::clone(busy))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *self.0.lock() -= 1;
        self.0.changed.notify_all();
    }
}

/// Who carries out the orders.
enum Executor {
    Thread { orders: Option<Sender<Order>>, thread: Option<JoinHandle<()>> },
    Caller(Arc<CallersOrders>),
}

/// Orders that wait for the thread that gave them.
struct CallersOrders {
    pool: Mutex<PolicyPool>,
    waiting: Mutex<VecDeque<Order>>,
}

impl CallersOrders {
    /// Carries out the order that has waited longest; false if none waits.
    fn carry_out_next(&self) -> bool {
        let order = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some(order) = order else { return false };
        carry_out(order, &mut self.pool.lock().unwrap_or_else(PoisonError::into_inner));
        true
    }
}

impl Executor {
    fn start(mut pool: PolicyPool) -> Result<Executor, OptionError> {
        if !background::has_threads() {
            let orders = CallersOrders { pool: Mutex::new(pool), waiting: Mutex::default() };
            return Ok(Executor::Caller(Arc::new(orders)));
        }
        let (orders, inbox) = channel::<Order>();
        let thread = std::thread::Builder::new()
            .name("search".into())
            .stack_size(STACK_BYTES)
            .spawn(move || work_through(&inbox, &mut pool))
            .map_err(|error| OptionError::failed("Threads", error))?;
        Ok(Executor::Thread { orders: Some(orders), thread: Some(thread) })
    }

    fn give(&self, order: Order) {
        match self {
            // The thread ends only when this sender is dropped.
            Executor::Thread { orders: Some(orders), .. } => drop(orders.send(order)),
            Executor::Thread { orders: None, .. } => {}
            Executor::Caller(orders) => {
                orders.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(order);
                let orders = Arc::clone(orders);
                // Nothing is left to do then if somebody has waited for it.
                background::enqueue(move || {
                    orders.carry_out_next();
                });
            }
        }
    }
}

fn work_through(inbox: &Receiver<Order>, pool: &mut PolicyPool) {
    while let Ok(order) = inbox.recv() {
        carry_out(order, pool);
    }
}

fn carry_out(order: Order, pool: &mut PolicyPool) {
    if catch("an order", || (order.work)(pool)).is_err() {
        // If this fails too, the next search may, and is caught.
        let _ = catch("recovery", || pool.recover());
    }
}

/// Stops the engine's search from wherever the engine itself cannot be reached.
#[derive(Clone)]
pub struct Interrupter {
    stop: Arc<StopSignal>,
    pool: PoolHandle,
}

impl Interrupter {
    pub fn stop(&self) {
        self.stop.raise();
        self.pool.control.stop();
    }

    pub fn ponder_hit(&self) {
        self.pool.control.ponder_hit(self.pool.clock.now());
    }
}

pub(crate) struct SearchThread {
    executor: Executor,
    busy: Arc<Busy>,
    stop: Arc<StopSignal>,
    pool: PoolHandle,
}

/// Deep recursion over a large frame; the platform's default for threads is too small to rely on.
const STACK_BYTES: usize = if cfg!(target_family = "wasm") { 8 << 20 } else { 64 << 20 };

impl SearchThread {
    /// Fails when the table does not fit or the system gives no thread.
    pub fn new(setup: &PoolSetup, clock: &Arc<dyn Clock>) -> Result<SearchThread, OptionError> {
        let pool = PolicyPool::new(setup, Arc::clone(clock))?;
        let handle = pool.handle();
        let executor = Executor::start(pool)?;
        Ok(SearchThread { executor, busy: Arc::default(), stop: Arc::default(), pool: handle })
    }

    /// A way to stop that does not need the engine.
    pub fn interrupter(&self) -> Interrupter {
        Interrupter { stop: Arc::clone(&self.stop), pool: self.pool.clone() }
    }

    /// The pool's control, clock and number of workers.
    pub fn pool(&self) -> &PoolHandle {
        &self.pool
    }

    pub fn stop_signal(&self) -> Arc<StopSignal> {
        Arc::clone(&self.stop)
    }

    /// Opens a search's session here and now, so that a `stop` right behind `go` is not lost.
    pub fn open_session(&self, limits: Limits, time: TimeSettings) -> Arc<SearchSession> {
        self.stop.reset();
        let PoolHandle { control, clock, workers } = self.pool.clone();
        Arc::new(SearchSession::begin(control, clock, limits, time, workers))
    }

    /// Has `work` done after everything ordered before. A panic in it ends the work, not the thread.
    pub fn order(&self, work: impl FnOnce(&mut PolicyPool) + Send + 'static) {
        self.executor.give(Order { work: Box::new(work), _place: Place::take(&self.busy) });
    }

    /// Has `work` done and waits for its answer.
    pub fn ask<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce(&mut PolicyPool) -> T + Send + 'static,
    ) -> Result<T, Fault> {
        let (sender, answer) = channel();
        self.order(move |pool| {
            let result = catch(what, || work(pool));
            if result.is_err() {
                let _ = catch("recovery", || pool.recover());
            }
            // Whoever asked is still waiting.
            let _ = sender.send(result);
        });
        self.wait();
        answer
            .try_recv()
            .unwrap_or_else(|_| Err(Fault { what, reason: "the search thread has ended".into() }))
    }

    /// As [`SearchThread::ask`], for changes of the pool.
    pub fn change<T: Send + 'static>(
        &mut self,
        option: &'static str,
        work: impl FnOnce(&mut PolicyPool) -> Result<T, OptionError> + Send + 'static,
    ) -> Result<T, OptionError> {
        let asked = self.ask(option, |pool| {
            let result = work(pool);
            (result, pool.handle())
        });
        let (result, handle) = asked.map_err(|fault| OptionError::failed(option, fault))?;
        self.pool = handle;
        result
    }

    pub fn stop(&self) {
        self.interrupter().stop();
    }

    pub fn ponder_hit(&self) {
        self.interrupter().ponder_hit();
    }

    pub fn is_busy(&self) -> bool {
        *self.busy.lock() > 0
    }

    /// Waits until everything ordered is done, except where it is done on this very stack.
    pub fn wait(&self) {
        if let Executor::Caller(orders) = &self.executor {
            while orders.carry_out_next() {}
            return;
        }
        let mut count = self.busy.lock();
        while *count > 0 {
            count = self.busy.changed.wait(count).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.stop();
        match &mut self.executor {
            Executor::Thread { orders, thread } => {
                *orders = None;
                if let Some(thread) = thread.take() {
                    let _ = thread.join();
                }
            }
            Executor::Caller(_) => self.wait(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use kernel::clock::ManualClock;

    #[test]
    fn an_order_that_panics_is_said_and_the_next_one_is_done() {
        let settings = Settings { hash_megabytes: 1, ..Settings::default() };
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::new());
        let thread = SearchThread::new(&settings.pool_setup(), &clock).unwrap();
        thread.order(|_| panic!("on purpose"));
        thread.wait();
        assert!(!thread.is_busy());
        let fault = thread.ask::<()>("the test", |_| panic!("on purpose again")).unwrap_err();
        assert_eq!(fault.reason, "on purpose again");
        assert_eq!(thread.ask("the test", |pool| pool.hash_megabytes()), Ok(1));
    }

    #[test]
    fn without_threads_the_caller_does_the_work_and_a_panic_ends_only_that() {
        background::do_without_threads();
        let settings = Settings { hash_megabytes: 1, ..Settings::default() };
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::new());
        let search = SearchThread::new(&settings.pool_setup(), &clock).unwrap();
        let caller = std::thread::current().id();
        assert_eq!(search.ask("the test", |_| std::thread::current().id()), Ok(caller));
        search.order(|_| panic!("on purpose"));
        assert!(search.is_busy(), "it waits in the queue");
        search.wait();
        assert!(!search.is_busy());
        assert_eq!(search.ask("the test", |pool| pool.hash_megabytes()), Ok(1));
    }
}
