//! Work beside the caller's: on a thread of its own or, where the system has none (WebAssembly in a page that may not share
//! memory), in a queue that the owner of the only thread works through.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

type Work = Box<dyn FnOnce()>;

thread_local! {
    static HAS_THREADS: Cell<bool> = const { Cell::new(true) };
    static QUEUE: RefCell<VecDeque<Work>> = const { RefCell::new(VecDeque::new()) };
}

/// From now on work that this thread starts waits in its queue.
pub fn do_without_threads() {
    HAS_THREADS.set(false);
}

/// Whether work that this thread starts has threads of its own.
pub fn has_threads() -> bool {
    HAS_THREADS.get()
}

/// Puts work at the end of this thread's queue.
pub fn enqueue(work: impl FnOnce() + 'static) {
    QUEUE.with_borrow_mut(|queue| queue.push_back(Box::new(work)));
}

/// Whether work waits in this thread's queue.
pub fn is_waiting() -> bool {
    QUEUE.with_borrow(|queue| !queue.is_empty())
}

/// Does what has waited longest in this thread's queue; false if nothing waits.
pub fn run_next() -> bool {
    // Not borrowed while it runs: work may start other work.
    let Some(work) = QUEUE.with_borrow_mut(VecDeque::pop_front) else { return false };
    work();
    true
}

/// Work in the queue, until it is begun.
pub struct QueuedWork(Arc<Mutex<Option<SharedWork>>>);

type SharedWork = Box<dyn FnOnce() + Send>;

impl QueuedWork {
    fn begin(&self) {
        let work = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(work) = work {
            work();
        }
    }
}

/// Work that was started.
pub enum Background {
    Thread(JoinHandle<()>),
    Queued(QueuedWork),
}

impl Background {
    /// Fails when the system gives no thread.
    pub fn start(thread: Builder, work: impl FnOnce() + Send + 'static) -> io::Result<Background> {
        if has_threads() {
            return thread.spawn(work).map(Background::Thread);
        }
        let queued = Arc::new(Mutex::new(Some(Box::new(work) as SharedWork)));
        let handed = QueuedWork(Arc::clone(&queued));
        enqueue(move || handed.begin());
        Ok(Background::Queued(QueuedWork(queued)))
    }

    /// Until it is done. Queued work is done here and now, and nothing else that waits; work that runs on this very stack is not
    /// waited for.
    pub fn join(self) {
        match self {
            // A panic was reported when it happened.
            Background::Thread(thread) => drop(thread.join()),
            Background::Queued(work) => work.begin(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn start(work: impl FnOnce() + Send + 'static) -> Background {
        Background::start(Builder::new(), work).unwrap()
    }

    #[test]
    fn work_has_a_thread_of_its_own() {
        let caller = std::thread::current().id();
        start(move || assert_ne!(std::thread::current().id(), caller)).join();
    }

    #[test]
    fn without_threads_work_waits_in_order() {
        do_without_threads();
        let (out, said) = channel();
        let say = |number: i32| {
            let out = out.clone();
            start(move || out.send(number).unwrap())
        };
        let (_first, second, _third) = (say(1), say(2), say(3));
        assert!(said.try_recv().is_err(), "nothing runs by itself");
        second.join();
        assert_eq!(said.try_iter().collect::<Vec<_>>(), [2], "nobody waits for other work");
        assert!(is_waiting());
        while run_next() {}
        assert!(!is_waiting());
        assert_eq!(said.try_iter().collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn work_may_start_work() {
        do_without_threads();
        let (out, said) = channel();
        start(move || {
            enqueue(move || out.send("inner").unwrap());
            while run_next() {}
        })
        .join();
        assert_eq!(said.try_recv(), Ok("inner"));
    }
}
