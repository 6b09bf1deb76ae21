//! Who shares what in a search by Young Brothers Wait: every worker's list of open nodes, the notice when one of them ends early, and how
//! many workers look for work. There may be several teams; they share nothing here.

use super::loop_types::GameMove;
use super::split_point::SplitPoint;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// When a node may be shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitSettings {
    /// The least depth.
    pub min_depth: i32,
    /// From this depth on every node is open to helpers; below, only while a worker waits for work: most
    /// nodes are shallow, few of them are ever joined, and being open costs every move a lock.
    pub open_depth: i32,
    /// Moves searched before others may join.
    pub after: usize,
    /// The same at an open window where none of them has raised alpha: a cutoff, which makes the others' work vain, is
    /// still likely there.
    pub after_no_raise: usize,
    /// The same where a cutoff is expected.
    pub after_cut: usize,
    /// The same where every move is expected to fail low: there is nothing to wait for.
    pub after_all: usize,
    /// Interest in a node lost with each move already taken, in eighths of a ply.
    pub late: i32,
    /// Interest in a node lost where a cutoff is expected, in eighths of a ply.
    pub cut: i32,
}

impl SplitSettings {
    /// As measured best for short searches; a game whose trees are deep keeps fewer nodes open
    /// (`search::SearchPoolSettings::SPLIT`).
    pub const DEFAULT: Self = Self {
        min_depth: 3,
        open_depth: 3,
        after: 1,
        after_no_raise: 1,
        after_cut: 1,
        after_all: 1,
        late: 2,
        cut: 6,
    };

    /// How much a node is worth joining: deep, with few moves taken, and not about to be cut.
    fn interest<M: GameMove, F>(&self, split: &SplitPoint<M, F>) -> i32 {
        let taken = split.claims().min(24) as i32;
        8 * split.depth().plies() - self.late * taken - self.cut * i32::from(split.expects_cut())
    }
}

impl Default for SplitSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// So many workers in as few teams of at most `largest` as will do, their sizes as even as can be: each team's numbers.
pub fn even_teams(workers: usize, largest: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
    let teams = workers.div_ceil(largest.max(1)).max(1);
    (0..teams).map(move |team| team * workers / teams..(team + 1) * workers / teams)
}

/// One worker's list, alone on its cache lines.
#[repr(align(128))]
struct SplitList<M, F> {
    /// From the root down.
    open: Mutex<Vec<Arc<SplitPoint<M, F>>>>,
    length: AtomicUsize,
}

#[repr(align(128))]
struct Epoch(AtomicU64);

/// Workers that look for work and find none.
#[repr(align(128))]
struct Waiting(AtomicUsize);

/// What the workers of one team share.
pub struct Team<M, F> {
    number: usize,
    lists: Box<[SplitList<M, F>]>,
    /// Counts the shared nodes that ended early: only a change makes workers look up their chain.
    epoch: Epoch,
    waiting: Waiting,
    settings: SplitSettings,
}

impl<M: GameMove, F> Team<M, F> {
    /// The only team, of so many.
    pub fn new(size: usize, settings: SplitSettings) -> Self {
        Self::numbered(0, size, settings)
    }

    /// One team of several.
    pub(super) fn numbered(number: usize, size: usize, settings: SplitSettings) -> Self {
        let list = |_| SplitList { open: Mutex::new(Vec::with_capacity(64)), length: AtomicUsize::new(0) };
        Self {
            number,
            lists: (0..size).map(list).collect(),
            epoch: Epoch(AtomicU64::new(0)),
            waiting: Waiting(AtomicUsize::new(0)),
            settings,
        }
    }

    fn list(&self, worker: usize) -> MutexGuard<'_, Vec<Arc<SplitPoint<M, F>>>> {
        self.lists[worker].open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a worker's node to others.
    pub(super) fn push(&self, worker: usize, split: Arc<SplitPoint<M, F>>) {
        let mut list = self.list(worker);
        list.push(split);
        self.lists[worker].length.store(list.len(), Ordering::Relaxed);
    }

    /// Closes the worker's innermost open node.
    pub(super) fn pop(&self, worker: usize) {
        let mut list = self.list(worker);
        list.pop();
        self.lists[worker].length.store(list.len(), Ordering::Relaxed);
    }

    /// Closes all of a worker's nodes.
    pub(super) fn clear(&self, worker: usize) {
        let mut list = self.list(worker);
        list.clear();
        self.lists[worker].length.store(0, Ordering::Relaxed);
    }

    /// Which team it is, from 0.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// The number of workers.
    pub(super) fn size(&self) -> usize {
        self.lists.len()
    }

    /// When a node may be shared.
    pub(super) fn settings(&self) -> &SplitSettings {
        &self.settings
    }

    /// One worker more waits for work.
    pub(super) fn start_waiting(&self) {
        self.waiting.0.fetch_add(1, Ordering::Relaxed);
    }

    /// One worker less waits for work.
    pub(super) fn end_waiting(&self) {
        self.waiting.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// Is a worker without work? A hint: one that is missed is seen at the next move.
    pub(super) fn has_idle_worker(&self) -> bool {
        self.waiting.0.load(Ordering::Relaxed) > 0
    }

    /// Changes whenever a shared node ended early.
    #[inline]
    pub(super) fn epoch(&self) -> u64 {
        self.epoch.0.load(Ordering::Acquire)
    }

    /// Tells all workers to check their chain of split points.
    pub(super) fn notify_cutoff(&self) {
        self.epoch.0.fetch_add(1, Ordering::Release);
    }

    /// The most promising node to join, below `ancestor` if one is given.
    pub fn find(&self, ancestor: Option<&SplitPoint<M, F>>) -> Option<Arc<SplitPoint<M, F>>> {
        let mut best: Option<(i32, Arc<SplitPoint<M, F>>)> = None;
        for (worker, list) in self.lists.iter().enumerate() {
            if list.length.load(Ordering::Relaxed) == 0 {
                continue;
            }
            for split in self.list(worker).iter() {
                let interest = self.settings.interest(split);
                if best.as_ref().is_none_or(|(most, _)| interest > *most)
                    && split.is_joinable()
                    && ancestor.is_none_or(|ancestor| split.is_below(ancestor))
                    && !split.is_cut_off()
                {
                    best = Some((interest, Arc::clone(split)));
                }
            }
        }
        best.map(|(_, split)| split)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn teams_are_even_and_nobody_is_left_out() {
        let sizes =
            |workers, largest| even_teams(workers, largest).map(|team| team.len()).collect::<Vec<_>>();
        assert_eq!(sizes(5, 8), [5]);
        assert_eq!(sizes(16, 8), [8, 8]);
        assert_eq!(sizes(20, 8), [6, 7, 7]);
        assert_eq!(sizes(3, 1), [1, 1, 1]);
        assert_eq!(sizes(3, 0), [1, 1, 1]);
        for (workers, largest) in (1..60).flat_map(|workers| (1..20).map(move |largest| (workers, largest))) {
            let together: Vec<usize> = even_teams(workers, largest).flatten().collect();
            assert_eq!(together, (0..workers).collect::<Vec<_>>());
            assert!(sizes(workers, largest).iter().all(|&size| (1..=largest).contains(&size)));
        }
    }
}
