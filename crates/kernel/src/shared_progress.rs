//! The finished iterations of workers that search the same root.

use crate::depth::Depth;
use crate::line::Line;
use crate::score::Score;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A finished iteration.
#[derive(Clone, Debug)]
pub struct CompletedIteration<M> {
    /// How deep it was.
    pub depth: Depth,
    /// The value of the root.
    pub score: Score,
    /// The deepest ply on the way.
    pub selective_depth: usize,
    /// The best line.
    pub line: Line<M>,
}

/// How deep the deepest finished iteration is.
#[derive(Debug, Default)]
pub struct FinishedDepth(AtomicI32);

impl FinishedDepth {
    /// Zero before the first.
    pub fn get(&self) -> Depth {
        Depth::new(self.0.load(Ordering::Acquire))
    }
}

/// The deepest finished iteration, shared by all workers of a rank.
#[derive(Debug)]
pub struct SharedProgress<M> {
    latest: Mutex<Option<CompletedIteration<M>>>,
    finished: Arc<FinishedDepth>,
}

impl<M> Default for SharedProgress<M> {
    fn default() -> Self {
        Self { latest: Mutex::new(None), finished: Arc::default() }
    }
}

impl<M: Copy> SharedProgress<M> {
    fn lock(&self) -> MutexGuard<'_, Option<CompletedIteration<M>>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes a finished iteration, if it is deeper than the latest.
    pub fn publish(&self, depth: Depth, score: Score, selective_depth: usize, line: &Line<M>) {
        let mut latest = self.lock();
        if latest.as_ref().is_none_or(|latest| latest.depth < depth) {
            *latest = Some(CompletedIteration { depth, score, selective_depth, line: *line });
            self.finished.0.fetch_max(depth.plies(), Ordering::Release);
        }
    }

    /// The deepest result so far.
    pub fn latest(&self) -> Option<CompletedIteration<M>> {
        self.lock().clone()
    }

    /// The depth of the deepest result so far.
    pub fn finished(&self) -> Depth {
        self.finished.get()
    }

    /// The same, for workers to look at.
    pub(crate) fn finished_depth(&self) -> Arc<FinishedDepth> {
        Arc::clone(&self.finished)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_deeper_results_are_news() {
        let shared_progress: SharedProgress<u8> = SharedProgress::default();
        let mut line = Line::default();
        line.push(7);
        shared_progress.publish(Depth::new(3), Score::centipawns(10), 4, &line);
        shared_progress.publish(Depth::new(3), Score::centipawns(99), 4, &Line::default());
        let latest = shared_progress.latest().unwrap();
        assert_eq!((latest.score, latest.line.get(0)), (Score::centipawns(10), Some(7)));
        shared_progress.publish(Depth::new(4), Score::centipawns(-1), 6, &line);
        assert_eq!(shared_progress.latest().unwrap().depth, Depth::new(4));
        assert_eq!(shared_progress.finished(), Depth::new(4));
    }
}
