//! How the workers of a search are divided into ranks, and what each rank has of its own.

use crate::exchange::Exchange;
use crate::shared_progress::SharedProgress;
use std::ops::Range;
use std::sync::Arc;

/// The workers of one rank.
pub struct RankWorkers<M> {
    /// Their numbers.
    pub workers: Range<usize>,
    /// Their finished iterations.
    pub progress: Arc<SharedProgress<M>>,
    /// What they do between their turns in virtual time.
    pub exchange: Option<Arc<dyn Exchange>>,
}

/// All ranks of a search that run here. The first has the main worker.
pub struct Ranks<M> {
    ranks: Vec<RankWorkers<M>>,
    /// Does anybody search the same position in another process? Then even a single worker looks for finished iterations.
    has_peers: bool,
}

impl<M> Default for Ranks<M> {
    /// One rank, of all workers, alone.
    fn default() -> Self {
        Self::alone(Arc::default(), false)
    }
}

impl<M> Ranks<M> {
    /// One rank, of all workers.
    pub fn alone(progress: Arc<SharedProgress<M>>, has_peers: bool) -> Self {
        Self { ranks: vec![RankWorkers { workers: 0..usize::MAX, progress, exchange: None }], has_peers }
    }

    /// Several ranks, in virtual time.
    pub fn several(ranks: Vec<RankWorkers<M>>) -> Self {
        if ranks.is_empty() { Self::default() } else { Self { ranks, has_peers: false } }
    }

    /// Do others search the same position in other processes?
    pub(super) fn has_peers(&self) -> bool {
        self.has_peers
    }

    /// The rank of a worker.
    pub(super) fn of(&self, worker: usize) -> &RankWorkers<M> {
        let rank = self.ranks.iter().find(|rank| rank.workers.contains(&worker));
        rank.unwrap_or(&self.ranks[0])
    }

    /// What the helpers of the first rank answered, of the answers of all helpers: the main worker is not one of them.
    pub(super) fn of_first<'a, T>(&self, answers: &'a [T]) -> &'a [T] {
        let helpers = self.ranks[0].workers.len().saturating_sub(1);
        &answers[..helpers.min(answers.len())]
    }
}
