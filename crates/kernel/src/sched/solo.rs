//! One worker, one node: the loop object is plain locals. Lazy SMP uses it too, for its workers
//! meet only in the tables.

use super::{Found, MoveLoop, Scheduler, Verdict};
use crate::depth::Depth;
use crate::line::Line;
use crate::score::Score;
use crate::stop::Stop;
use crate::window::Window;

/// The scheduler of a worker that shares no nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Solo;

/// A move loop of one worker.
#[derive(Clone, Copy, Debug)]
pub struct SoloLoop<M> {
    window: Window,
    score: Option<Score>,
    best: Option<M>,
    offered: usize,
}

impl Scheduler for Solo {
    type Loop<M: Copy, F> = SoloLoop<M>;

    #[inline(always)]
    fn open<M: Copy, F>(&mut self, window: Window, _depth: Depth) -> SoloLoop<M> {
        SoloLoop { window, score: None, best: None, offered: 0 }
    }

    #[inline(always)]
    fn check(&self) -> Result<(), Stop> {
        Ok(())
    }
}

impl<M: Copy, F> MoveLoop<M, F> for SoloLoop<M> {
    #[inline(always)]
    fn offer(
        &mut self,
        mut next: impl FnMut() -> Option<M>,
        _frame: impl FnOnce() -> F,
    ) -> Option<(M, usize)> {
        let mv = next()?;
        self.offered += 1;
        Some((mv, self.offered))
    }

    #[inline(always)]
    fn window(&self) -> Window {
        self.window
    }

    #[inline(always)]
    fn best_score(&self) -> Option<Score> {
        self.score
    }

    #[inline(always)]
    fn report(&mut self, mv: M, score: Score, _line: impl FnOnce() -> Line<M>) -> Verdict {
        if self.score.is_some_and(|best| score <= best) {
            return Verdict::Ignored;
        }
        self.score = Some(score);
        if self.window.fails_low(score) {
            return Verdict::Better;
        }
        self.best = Some(mv);
        if self.window.fails_high(score) {
            return Verdict::Cutoff;
        }
        self.window.raise(score);
        Verdict::Raised
    }

    #[inline(always)]
    fn join(self) -> Result<Found<M>, Stop> {
        Ok(Found { score: self.score, best: self.best, offered: self.offered })
    }
}
