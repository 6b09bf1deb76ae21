//! One rank's side of the exchange: what is due to be sent, and what becomes of what arrives.

use super::batch::Batch;
use super::outbox::Outbox;
use crate::depth::Depth;
use crate::shared_progress::SharedProgress;
use crate::table::Entry;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What is sent, and how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchSettings {
    /// The least depth of a table entry that is sent.
    pub least_depth: i32,
    /// Entries wait at least so long for others to travel with. A finished iteration does not wait.
    pub interval: Duration,
    /// Most entries in a batch: the deepest of those that wait.
    pub most_entries: usize,
}

impl BatchSettings {
    /// As measured best (`results/parallel`).
    pub const DEFAULT: Self = Self { least_depth: 8, interval: Duration::from_millis(2), most_entries: 512 };
}

impl Default for BatchSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What was sent so far.
#[derive(Default)]
struct Sent {
    /// The deepest iteration that the others know of.
    depth: Depth,
    /// When the last batch was made.
    at: Duration,
}

/// A rank in one search.
pub struct Rank<M> {
    settings: BatchSettings,
    outboxes: Box<[Arc<Outbox>]>,
    progress: Arc<SharedProgress<M>>,
    root_moves: Vec<M>,
    store: Box<dyn Fn(u64, Entry) + Send + Sync>,
    sent: Mutex<Sent>,
}

impl<M: Copy + PartialEq> Rank<M> {
    /// A rank of so many workers. `store` puts an entry into its table; iterations whose best move is not among
    /// `root_moves` are not taken in.
    pub fn new(
        settings: BatchSettings,
        workers: usize,
        progress: Arc<SharedProgress<M>>,
        root_moves: Vec<M>,
        store: impl Fn(u64, Entry) + Send + Sync + 'static,
    ) -> Self {
        let outbox = |_| Arc::new(Outbox::new(Depth::new(settings.least_depth)));
        Self {
            settings,
            outboxes: (0..workers).map(outbox).collect(),
            progress,
            root_moves,
            store: Box::new(store),
            sent: Mutex::default(),
        }
    }

    /// Where a worker, counted from 0, puts its deep entries.
    pub fn outbox(&self, worker: usize) -> Option<Arc<Outbox>> {
        self.outboxes.get(worker).cloned()
    }

    /// Takes in what another rank tells.
    pub fn accept(&self, batch: &Batch<M>) {
        for &(key, entry) in &batch.entries {
            (self.store)(key, entry);
        }
        let Some(iteration) = &batch.iteration else { return };
        let best = iteration.line.get(0);
        if !best.is_some_and(|best| self.root_moves.contains(&best)) {
            return;
        }
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever sent it has told everybody.
        sent.depth = sent.depth.max(iteration.depth);
        drop(sent);
        self.progress.publish(iteration.depth, iteration.score, iteration.selective_depth, &iteration.line);
    }

    /// What is due to be sent now, if anything is.
    pub fn due(&self, now: Duration) -> Option<Batch<M>> {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = self.progress.finished() > sent.depth;
        if !is_news && now.saturating_sub(sent.at) < self.settings.interval {
            return None;
        }
        let iteration = self.progress.latest().filter(|latest| latest.depth > sent.depth);
        sent.depth = iteration.as_ref().map_or(sent.depth, |latest| latest.depth);
        let mut entries = Vec::new();
        self.outboxes.iter().for_each(|outbox| outbox.empty_into(&mut entries));
        if entries.len() > self.settings.most_entries {
            entries.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.depth));
            entries.truncate(self.settings.most_entries);
        }
        sent.at = now;
        Some(Batch { iteration, entries }).filter(|batch| !batch.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Line;
    use crate::score::Score;
    use std::sync::atomic::{AtomicU64, Ordering};

    const INTERVAL: Duration = Duration::from_millis(2);

    fn rank() -> (Rank<u8>, Arc<SharedProgress<u8>>, Arc<AtomicU64>) {
        let (progress, stored) = (Arc::new(SharedProgress::default()), Arc::new(AtomicU64::new(0)));
        let count = Arc::clone(&stored);
        let settings = BatchSettings { least_depth: 4, interval: INTERVAL, most_entries: 3 };
        let rank = Rank::new(settings, 2, Arc::clone(&progress), vec![7, 8], move |_, _| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        (rank, progress, stored)
    }

    fn publish(progress: &SharedProgress<u8>, depth: i32, best: u8) {
        let mut line = Line::default();
        line.push(best);
        progress.publish(Depth::new(depth), Score::centipawns(depth), 9, &line);
    }

    fn offer(rank: &Rank<u8>, worker: usize, depth: i32) {
        let entry = Entry { depth: Depth::new(depth), ..Entry::default() };
        rank.outbox(worker).unwrap().offer(depth as u64, &entry);
    }

    #[test]
    fn entries_wait_for_each_other_and_an_iteration_takes_them_along() {
        let (rank, progress, _) = rank();
        offer(&rank, 0, 5);
        offer(&rank, 1, 6);
        offer(&rank, 1, 3);
        assert!(rank.due(Duration::from_millis(1)).is_none(), "too early");
        let batch = rank.due(INTERVAL).unwrap();
        assert_eq!((batch.entries.len(), batch.iteration.is_some()), (2, false));
        assert!(rank.due(2 * INTERVAL).is_none(), "nothing new");
        offer(&rank, 0, 9);
        publish(&progress, 3, 7);
        let batch = rank.due(2 * INTERVAL).unwrap();
        assert_eq!((batch.entries.len(), batch.iteration.unwrap().depth), (1, Depth::new(3)));
        assert!(rank.due(2 * INTERVAL).is_none());
    }

    #[test]
    fn of_too_many_entries_the_deepest_travel() {
        let (rank, ..) = rank();
        (4..10).for_each(|depth| offer(&rank, 0, depth));
        let batch = rank.due(INTERVAL).unwrap();
        assert_eq!(batch.entries.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [9, 8, 7]);
    }

    #[test]
    fn what_arrives_is_stored_and_not_sent_back() {
        let (there, their_progress, _) = rank();
        let (here, progress, stored) = rank();
        offer(&there, 0, 5);
        publish(&their_progress, 4, 8);
        here.accept(&there.due(INTERVAL).unwrap());
        assert_eq!((stored.load(Ordering::Relaxed), progress.finished()), (1, Depth::new(4)));
        assert!(here.due(10 * INTERVAL).is_none());
    }

    #[test]
    fn an_iteration_of_another_position_is_refused() {
        let (rank, progress, _) = rank();
        let mut line = Line::default();
        line.push(99);
        let other = SharedProgress::default();
        other.publish(Depth::new(9), Score::ZERO, 9, &line);
        rank.accept(&Batch { iteration: other.latest(), entries: Vec::new() });
        rank.accept(&Batch::default());
        assert_eq!(progress.finished(), Depth::ZERO);
    }
}
