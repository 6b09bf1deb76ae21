//! Watching an evaluation: one function body serves plain evaluation, the table of terms and the tuner.

use super::features::Feature;
use super::tapered::Tapered;
use chess::Color;

/// Told of every weight an evaluation uses. The plain evaluation's watcher does nothing and compiles away.
pub trait Trace {
    /// `times` the weight at `index` of `feature`, whose value is `weight`, counted for `color`.
    fn count(&mut self, color: Color, feature: Feature, index: usize, times: i32, weight: Tapered);
}

/// Nobody watches.
pub struct NoTrace;

impl Trace for NoTrace {
    #[inline(always)]
    fn count(&mut self, _: Color, _: Feature, _: usize, _: i32, _: Tapered) {}
}
