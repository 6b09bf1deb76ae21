//! ABDADA, simplified: Lazy SMP whose workers avoid each other (Weill 1996; the form without
//! changes to the transposition table is Kerrigan's).
//!
//! A worker marks the move it is about to search at a position. Another worker at the same position
//! puts a marked move off and comes back to it in a second pass, by when its result is likely to be
//! in the table. These marks are hints: a lost or stale one costs time, never correctness.

use super::loop_types::{GameMove, LoopResult, LoopUpdate, NodeInfo};
use super::scheduler::{MoveLoop, Scheduler, SplitHelper};
use super::solo_loop::SoloLoop;
use crate::counters::{Count, Counters};
use crate::line::Line;
use crate::score::Score;
use crate::stop::Stop;
use crate::window::Window;
use std::hash::Hasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const SETS: usize = 1 << 12;
const WAYS: usize = 4;

/// The moves being searched, by all workers.
pub struct CurrentlySearching {
    sets: Box<[[AtomicU64; WAYS]]>,
    /// Moves are put off only at nodes at least this deep.
    min_depth: i32,
}

impl CurrentlySearching {
    /// No marks.
    pub fn new(min_depth: i32) -> Self {
        Self { sets: (0..SETS).map(|_| Default::default()).collect(), min_depth }
    }

    /// Forgets all marks.
    pub fn clear(&self) {
        self.sets.iter().flatten().for_each(|mark| mark.store(0, Relaxed));
    }

    fn set(&self, mark: u64) -> &[AtomicU64; WAYS] {
        &self.sets[mark as usize % SETS]
    }

    /// Is a worker searching this move?
    pub fn is_busy(&self, mark: u64) -> bool {
        self.set(mark).iter().any(|way| way.load(Relaxed) == mark)
    }

    /// A worker begins. With all ways taken the first is overwritten.
    pub fn begin(&self, mark: u64) {
        let set = self.set(mark);
        let free = set.iter().find(|way| matches!(way.load(Relaxed), 0)).unwrap_or(&set[0]);
        free.store(mark, Relaxed);
    }

    /// A worker has finished.
    pub fn end(&self, mark: u64) {
        for way in self.set(mark) {
            if way.load(Relaxed) == mark {
                way.store(0, Relaxed);
            }
        }
    }
}

/// One multiplication a word: marks need spreading, not strength.
struct MultiplyHasher(u64);

impl Hasher for MultiplyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    fn write_u16(&mut self, word: u16) {
        self.write_u64(u64::from(word));
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

/// The mark of a move at a position; never zero.
fn mark_of<M: GameMove>(key: u64, mv: M) -> u64 {
    let mut hasher = MultiplyHasher(key);
    mv.hash(&mut hasher);
    hasher.finish() | 1 << 63
}

/// One worker's part.
pub struct Abdada<M> {
    marks: Arc<CurrentlySearching>,
    /// Moves put off at the nodes of the present path, as a stack.
    deferred: Vec<(M, usize)>,
    /// Moves put off in this search.
    deferrals: u64,
}

impl<M> Abdada<M> {
    /// A worker that shares `marks` with others.
    pub fn new(marks: Arc<CurrentlySearching>) -> Self {
        Self { marks, deferred: Vec::with_capacity(512), deferrals: 0 }
    }
}

/// A move loop with a second pass.
pub struct AbdadaLoop<M> {
    solo: SoloLoop<M>,
    key: u64,
    defers: bool,
    /// Where this node's deferred moves begin, and how many have been taken up again.
    start: usize,
    resumed: usize,
    mark: Option<u64>,
}

impl<M: GameMove, F> Scheduler<M, F> for Abdada<M> {
    const REORDERS: bool = true;

    type Loop = AbdadaLoop<M>;

    fn reset(&mut self) {
        self.marks.clear();
        self.deferred.clear();
        self.deferrals = 0;
    }

    #[inline]
    fn open(&mut self, info: NodeInfo) -> AbdadaLoop<M> {
        AbdadaLoop {
            solo: SoloLoop::new(info.window),
            key: info.key,
            defers: info.depth >= self.marks.min_depth,
            start: self.deferred.len(),
            resumed: 0,
            mark: None,
        }
    }

    #[inline]
    fn check(&mut self) -> Result<(), Stop> {
        Ok(())
    }

    fn tally(&self) -> Counters {
        let mut tally = Counters::default();
        tally[Count::Deferrals] = self.deferrals;
        tally
    }
}

impl<M: GameMove> AbdadaLoop<M> {
    fn unmark(&mut self, scheduler: &Abdada<M>) {
        if let Some(mark) = self.mark.take() {
            scheduler.marks.end(mark);
        }
    }

    fn marked(&mut self, scheduler: &Abdada<M>, mv: M, number: usize) -> (M, usize) {
        let mark = mark_of(self.key, mv);
        scheduler.marks.begin(mark);
        self.mark = Some(mark);
        (mv, number)
    }
}

impl<M: GameMove, F> MoveLoop<M, F, Abdada<M>> for AbdadaLoop<M> {
    #[inline]
    fn offer(
        &mut self,
        scheduler: &mut Abdada<M>,
        mut next: impl FnMut() -> Option<M>,
        _frame: impl FnOnce(&mut F),
    ) -> Option<(M, usize)> {
        if !self.defers {
            let mv = next()?;
            self.solo.offered += 1;
            return Some((mv, self.solo.offered));
        }
        // A move that was pruned was never reported.
        self.unmark(scheduler);
        if self.resumed == 0 {
            while let Some(mv) = next() {
                self.solo.offered += 1;
                let number = self.solo.offered;
                if number > 1 && scheduler.marks.is_busy(mark_of(self.key, mv)) {
                    scheduler.deferrals += 1;
                    scheduler.deferred.push((mv, number));
                    continue;
                }
                return Some(self.marked(scheduler, mv, number));
            }
        }
        let &(mv, number) = scheduler.deferred.get(self.start + self.resumed)?;
        self.resumed += 1;
        Some(self.marked(scheduler, mv, number))
    }

    #[inline]
    fn window(&self) -> Window {
        self.solo.window
    }

    #[inline]
    fn best_score(&self) -> Option<Score> {
        self.solo.score
    }

    #[inline]
    fn report(
        &mut self,
        scheduler: &mut Abdada<M>,
        mv: M,
        score: Score,
        _line: impl FnOnce() -> Line<M>,
    ) -> LoopUpdate {
        self.unmark(scheduler);
        self.solo.take(mv, score)
    }

    fn settle(&mut self, scheduler: &mut Abdada<M>, stop: Stop) -> Result<(), Stop> {
        self.unmark(scheduler);
        scheduler.deferred.truncate(self.start);
        Err(stop)
    }

    #[inline]
    fn join<H: SplitHelper<M, F, Scheduler = Abdada<M>>>(
        &mut self,
        worker: &mut H,
    ) -> Result<LoopResult<M>, Stop> {
        if self.defers {
            let scheduler = worker.scheduler();
            self.unmark(scheduler);
            scheduler.deferred.truncate(self.start);
            worker.collect_counts();
        }
        Ok(LoopResult {
            score: self.solo.score,
            best: self.solo.best,
            offered: self.solo.offered,
            line: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::depth::Depth;

    fn open(scheduler: &mut Abdada<u8>, key: u64) -> AbdadaLoop<u8> {
        let info = NodeInfo { window: Window::FULL, depth: Depth::new(8), key, expects_cut: false };
        Scheduler::<u8, ()>::open(scheduler, info)
    }

    fn draw(
        walk: &mut AbdadaLoop<u8>,
        scheduler: &mut Abdada<u8>,
        moves: &mut impl Iterator<Item = u8>,
    ) -> Option<(u8, usize)> {
        MoveLoop::<u8, (), _>::offer(walk, scheduler, || moves.next(), |()| {})
    }

    #[test]
    fn a_move_searched_elsewhere_comes_last_and_every_move_comes_once() {
        let marks = Arc::new(CurrentlySearching::new(3));
        let (mut one, mut two) = (Abdada::new(Arc::clone(&marks)), Abdada::new(marks));
        let (mut first, mut second) = (open(&mut one, 7), open(&mut two, 7));
        let (mut left, mut right) = (1..=4, 1..=4);
        assert_eq!(draw(&mut first, &mut one, &mut left), Some((1, 1)));
        assert_eq!(draw(&mut first, &mut one, &mut left), Some((2, 2)));
        // The first move is never put off; the second is being searched by the other worker.
        let order: Vec<_> = std::iter::from_fn(|| draw(&mut second, &mut two, &mut right)).collect();
        assert_eq!(order, [(1, 1), (3, 3), (4, 4), (2, 2)]);
        assert_eq!(two.deferrals, 1);
    }

    #[test]
    fn marks_belong_to_a_position_and_go_when_the_move_is_done() {
        let marks = Arc::new(CurrentlySearching::new(3));
        let mut worker = Abdada::new(Arc::clone(&marks));
        let mut walk = open(&mut worker, 7);
        let mut moves = 1..=2_u8;
        let _ = draw(&mut walk, &mut worker, &mut moves);
        assert!(marks.is_busy(mark_of(7, 1_u8)) && !marks.is_busy(mark_of(8, 1_u8)));
        MoveLoop::<u8, (), _>::report(&mut walk, &mut worker, 1, Score::ZERO, Line::default);
        assert!(!marks.is_busy(mark_of(7, 1_u8)));
    }
}
