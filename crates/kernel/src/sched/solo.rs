//! One worker, one node: the loop object is plain locals. Lazy SMP uses it too: its workers share only the tables.

use super::{GameMove, LoopResult, LoopUpdate, MoveLoop, NodeInfo, Scheduler, SplitHelper};
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
    pub(super) window: Window,
    pub(super) score: Option<Score>,
    pub(super) best: Option<M>,
    pub(super) offered: usize,
}

impl<M: GameMove> SoloLoop<M> {
    #[inline(always)]
    pub(super) fn new(window: Window) -> Self {
        Self { window, score: None, best: None, offered: 0 }
    }

    /// What a score means, and what it changes.
    #[inline(always)]
    pub(super) fn take(&mut self, mv: M, score: Score) -> LoopUpdate {
        if self.score.is_some_and(|best| score <= best) {
            return LoopUpdate::Ignored;
        }
        self.score = Some(score);
        if self.window.fails_low(score) {
            return LoopUpdate::Better;
        }
        self.best = Some(mv);
        if self.window.fails_high(score) {
            return LoopUpdate::Cutoff;
        }
        self.window.raise(score);
        LoopUpdate::Raised
    }
}

impl<M: GameMove, F> Scheduler<M, F> for Solo {
    type Loop = SoloLoop<M>;

    #[inline(always)]
    fn open(&mut self, info: NodeInfo) -> SoloLoop<M> {
        SoloLoop::new(info.window)
    }

    #[inline(always)]
    fn check(&mut self) -> Result<(), Stop> {
        Ok(())
    }
}

impl<M: GameMove, F> MoveLoop<M, F, Solo> for SoloLoop<M> {
    #[inline(always)]
    fn offer(
        &mut self,
        _scheduler: &mut Solo,
        mut next: impl FnMut() -> Option<M>,
        _frame: impl FnOnce(&mut F),
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
    fn report(
        &mut self,
        _scheduler: &mut Solo,
        mv: M,
        score: Score,
        _line: impl FnOnce() -> Line<M>,
    ) -> LoopUpdate {
        self.take(mv, score)
    }

    #[inline(always)]
    fn settle(&mut self, _scheduler: &mut Solo, stop: Stop) -> Result<(), Stop> {
        Err(stop)
    }

    #[inline(always)]
    fn join<H: SplitHelper<M, F, Scheduler = Solo>>(
        &mut self,
        _assistant: &mut H,
    ) -> Result<LoopResult<M>, Stop> {
        Ok(LoopResult { score: self.score, best: self.best, offered: self.offered, line: None })
    }
}
