//! A thread pool: threads live as long as the engine and run jobs when told to.
//!
//! A job owns what it works on and gives it back, so nothing is borrowed across threads. A job that
//! panics is lost, its thread is not.

use super::affinity::{pin, unpin};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

type Task = Box<dyn FnOnce() + Send>;

/// A job for another thread.
pub type Job<T> = Box<dyn FnOnce() -> T + Send>;

/// Deep recursion over large frames; only what is used is ever backed by memory. The memory of a WebAssembly program is at
/// most 4 GB and may be much less.
const STACK_BYTES: usize = if cfg!(target_family = "wasm") { 8 << 20 } else { 64 << 20 };

/// Memory left free beside the workers: for the input, the thread of a search and what the allocator sets aside for them.
/// The memory of a WebAssembly program grows when it is tested and has one allocator for all threads.
const HEADROOM_BYTES: usize = if cfg!(target_family = "wasm") { 0 } else { 160 << 20 };

/// Can memory be had for so many workers of so many bytes each? Without this test the allocation of a worker that does not
/// fit would abort the program.
fn workers_fit(workers: usize, bytes_each: usize) -> bool {
    let bytes = workers.saturating_mul(bytes_each).saturating_add(HEADROOM_BYTES);
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// Of so many workers, as many as memory can be had for if each takes so many bytes, at least one.
pub fn workers_that_fit(workers: usize, bytes_each: usize) -> usize {
    (2..=workers).rev().find(|&count| workers_fit(count, bytes_each)).unwrap_or(1)
}

struct Helper {
    tasks: Option<Sender<Task>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.tasks = None;
        if let Some(thread) = self.thread.take() {
            // It catches every panic of a job, so it ends in order.
            let _ = thread.join();
        }
    }
}

/// A pool of threads.
#[derive(Default)]
pub struct ThreadPool {
    helpers: Vec<Helper>,
    pinned: bool,
}

impl ThreadPool {
    /// No threads yet. Pinned threads stay on a core of their own, as far as there are cores and
    /// the system allows it.
    pub fn new(pinned: bool) -> Self {
        Self { helpers: Vec::new(), pinned }
    }

    /// From now on pinned, or not. Threads of the other kind go.
    pub fn set_pinned(&mut self, pinned: bool) {
        if pinned != self.pinned {
            if self.pinned {
                unpin();
            }
            *self = Self::new(pinned);
        }
    }

    /// Threads besides the caller's.
    pub fn len(&self) -> usize {
        self.helpers.len()
    }

    /// Is there no thread besides the caller's?
    pub fn is_empty(&self) -> bool {
        self.helpers.is_empty()
    }

    /// Has exactly so many threads; on failure it has as many as the system gave. All of them run when this returns: what
    /// the allocator sets aside for a thread that starts is then taken, so memory that is free now stays free.
    pub fn resize(&mut self, threads: usize) -> io::Result<()> {
        self.helpers.truncate(threads);
        if self.pinned {
            pin(0);
        }
        let (running, begun) = channel();
        let before = self.helpers.len();
        let started = self.start_threads(threads, &running);
        drop(running);
        // In a page, threads may start only when the caller has returned; and there is one allocator for all.
        if !cfg!(target_family = "wasm") {
            for _ in before..self.helpers.len() {
                // A thread that ended before it told has nothing to set aside either.
                let _ = begun.recv();
            }
        }
        started
    }

    /// As [`ThreadPool::resize`], with so many bytes of memory left for the worker of each thread and of the caller. On
    /// failure it has as many threads as the system gave and memory was left for.
    pub fn resize_to_fit(&mut self, threads: usize, bytes_each: usize) -> io::Result<()> {
        let mut resized = self.resize(threads);
        while !self.helpers.is_empty() && !workers_fit(self.helpers.len() + 1, bytes_each) {
            // Its stack is free again.
            self.helpers.pop();
            resized = Err(io::ErrorKind::OutOfMemory.into());
        }
        resized
    }

    fn start_threads(&mut self, threads: usize, running: &Sender<()>) -> io::Result<()> {
        while self.helpers.len() < threads {
            let number = self.helpers.len() + 1;
            let (tasks, inbox) = channel::<Task>();
            let (pinned, running) = (self.pinned, running.clone());
            let thread =
                Builder::new().name(format!("helper {number}")).stack_size(STACK_BYTES).spawn(move || {
                    if pinned {
                        pin(number);
                    }
                    let _ = running.send(());
                    drop(running);
                    while let Ok(task) = inbox.recv() {
                        task();
                    }
                })?;
            self.helpers.push(Helper { tasks: Some(tasks), thread: Some(thread) });
        }
        Ok(())
    }

    /// Runs each job on a thread of its own and `main` on the caller's, and waits for all. A job
    /// that panicked, or for which there is no thread, gives `None`.
    pub fn run<T: Send + 'static, R>(
        &self,
        jobs: Vec<Job<T>>,
        main: impl FnOnce() -> R,
    ) -> (R, Vec<Option<T>>) {
        let running = self.start(jobs);
        (main(), running.wait())
    }

    /// Starts each job on a thread of its own.
    pub fn start<T: Send + 'static>(&self, jobs: Vec<Job<T>>) -> RunningJobs<T> {
        let (done, results) = channel();
        let answers = jobs.iter().map(|_| None).collect();
        let mut running = 0;
        for (index, (job, helper)) in jobs.into_iter().zip(&self.helpers).enumerate() {
            let done = done.clone();
            let task: Task = Box::new(move || {
                let result = catch_unwind(AssertUnwindSafe(job));
                // The caller is gone only if it panicked itself.
                let _ = done.send((index, result.ok()));
            });
            let sent = helper.tasks.as_ref().is_some_and(|tasks| tasks.send(task).is_ok());
            running += usize::from(sent);
        }
        RunningJobs { results, answers, running }
    }
}

/// Jobs that were started together.
pub struct RunningJobs<T> {
    results: Receiver<(usize, Option<T>)>,
    answers: Vec<Option<T>>,
    /// Jobs that have not ended.
    running: usize,
}

impl<T> RunningJobs<T> {
    /// Waits for all jobs, but no longer than this.
    pub fn wait_at_most(&mut self, time: Duration) {
        if self.running == 0 {
            return;
        }
        let begin = Instant::now();
        while self.running > 0 {
            let left = time.saturating_sub(begin.elapsed());
            let Ok(result) = self.results.recv_timeout(left) else { return };
            self.take(result);
        }
    }

    /// What the jobs that have ended gave, by job; `None` for one that has not, that panicked, or for which there was no
    /// thread.
    pub fn answers(&self) -> &[Option<T>] {
        &self.answers
    }

    /// Waits for all jobs; the same for each.
    pub fn wait(mut self) -> Vec<Option<T>> {
        while self.running > 0 {
            let Ok(result) = self.results.recv() else { break };
            self.take(result);
        }
        self.answers
    }

    fn take(&mut self, (index, answer): (usize, Option<T>)) {
        self.running -= 1;
        self.answers[index] = answer;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_run_beside_the_caller_and_give_their_results_in_order() {
        let mut thread_pool = ThreadPool::new(false);
        thread_pool.resize(3).unwrap();
        for round in 0..50 {
            let jobs = (0..3).map(|index| Box::new(move || index + round) as Job<i32>).collect();
            let (own, others) = thread_pool.run(jobs, || "mine");
            assert_eq!(own, "mine");
            assert_eq!(others, [Some(round), Some(round + 1), Some(round + 2)]);
        }
    }

    #[test]
    fn threads_whose_workers_do_not_fit_in_memory_go() {
        let mut thread_pool = ThreadPool::new(false);
        assert!(thread_pool.resize_to_fit(3, usize::MAX / 4).is_err());
        assert!(thread_pool.is_empty());
        assert_eq!(workers_that_fit(3, usize::MAX / 4), 1);
        thread_pool.resize_to_fit(3, 1).unwrap();
        assert_eq!(thread_pool.len(), 3);
    }

    #[test]
    fn a_job_that_panics_is_lost_and_its_thread_goes_on() {
        let mut thread_pool = ThreadPool::new(true);
        thread_pool.resize(2).unwrap();
        let jobs: Vec<Job<u8>> = vec![Box::new(|| panic!("on purpose")), Box::new(|| 2)];
        assert_eq!(thread_pool.run(jobs, || ()).1, [None, Some(2)]);
        let jobs: Vec<Job<u8>> = vec![Box::new(|| 1), Box::new(|| 2)];
        assert_eq!(thread_pool.run(jobs, || ()).1, [Some(1), Some(2)]);
    }

    #[test]
    fn jobs_that_have_ended_are_known_before_the_others_end() {
        let mut thread_pool = ThreadPool::new(false);
        thread_pool.resize(2).unwrap();
        let (release, released) = channel::<()>();
        let jobs: Vec<Job<u8>> = vec![Box::new(move || released.recv().map_or(0, |()| 1)), Box::new(|| 2)];
        let mut running = thread_pool.start(jobs);
        while running.answers()[1].is_none() {
            running.wait_at_most(Duration::from_millis(1));
        }
        assert_eq!(running.answers(), [None, Some(2)]);
        release.send(()).unwrap();
        assert_eq!(running.wait(), [Some(1), Some(2)]);
    }

    #[test]
    fn too_many_jobs_are_left_undone() {
        let thread_pool = ThreadPool::default();
        let jobs: Vec<Job<u8>> = vec![Box::new(|| 1)];
        assert_eq!(thread_pool.run(jobs, || ()).1, [None]);
    }
}
