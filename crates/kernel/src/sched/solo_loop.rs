//! The state of one worker's move loop.

use super::loop_types::{GameMove, LoopUpdate};
use crate::score::Score;
use crate::window::Window;

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
