//! Adding up weights, and telling the watcher of each.

use super::features::Feature;
use super::parameters::Weights;
use super::tapered::Tapered;
use super::trace::Trace;
use chess::Color;

/// What the terms add to.
pub(super) struct Sum<'a, T> {
    weights: &'a Weights,
    trace: &'a mut T,
    /// White's minus Black's.
    pub total: Tapered,
}

/// The colour a term is computed for, known at compile time so that shifts and signs are constants.
#[inline(always)]
pub(super) const fn side<const WHITE: bool>() -> Color {
    if WHITE { Color::White } else { Color::Black }
}

impl<'a, T: Trace> Sum<'a, T> {
    pub fn new(weights: &'a Weights, trace: &'a mut T) -> Sum<'a, T> {
        Sum { weights, trace, total: Tapered::ZERO }
    }

    /// The weight at `index` of `feature`, once, for a side.
    #[inline(always)]
    pub fn add<const WHITE: bool>(&mut self, feature: Feature, index: usize) {
        self.add_times::<WHITE>(feature, index, 1);
    }

    #[inline(always)]
    pub fn add_times<const WHITE: bool>(&mut self, feature: Feature, index: usize, times: i32) {
        let weight = self.weights.get(feature, index);
        self.trace.count(side::<WHITE>(), feature, index, times, weight);
        if WHITE {
            self.total += weight * times;
        } else {
            self.total -= weight * times;
        }
    }
}
