//! One worker, one node: the loop object is plain locals. Lazy SMP uses it too: its workers share only the tables.

use super::loop_types::{GameMove, LoopResult, LoopUpdate, NodeInfo};
use super::scheduler::{MoveLoop, Scheduler, SplitHelper};
use super::solo_loop::SoloLoop;
use crate::line::Line;
use crate::score::Score;
use crate::stop::Stop;
use crate::window::Window;

/// The scheduler of a worker that shares no nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Solo;

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
