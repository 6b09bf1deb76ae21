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
    pub tally: Tally,
}

/// What the terms added up to, before king danger and endings bend it.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    /// White's minus Black's.
    pub total: Tapered,
    /// To the king of each colour, in units.
    pub danger: [Tapered; 2],
    /// 256ths of the endgame half, to be added to its scale.
    pub winnable: i32,
}

/// The colour a term is computed for, known at compile time so that shifts and signs are constants.
#[inline(always)]
pub(super) const fn side<const WHITE: bool>() -> Color {
    if WHITE { Color::White } else { Color::Black }
}

impl<'a, T: Trace> Sum<'a, T> {
    #[inline(always)]
    pub fn new(weights: &'a Weights, trace: &'a mut T) -> Sum<'a, T> {
        Sum { weights, trace, tally: Tally::default() }
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
            self.tally.total += weight * times;
        } else {
            self.tally.total -= weight * times;
        }
    }

    /// Danger to the king of `color`.
    #[inline(always)]
    pub fn endanger(&mut self, color: Color, feature: Feature, index: usize, times: i32) {
        let weight = self.weights.get(feature, index);
        self.trace.count(color, feature, index, times, weight);
        self.tally.danger[color.index()] += weight * times;
    }

    /// Chances to win for whoever stands better.
    #[inline(always)]
    pub fn winnable(&mut self, feature: Feature, times: i32) {
        let weight = self.weights.get(feature, 0);
        self.trace.count(Color::White, feature, 0, times, weight);
        self.tally.winnable += weight.endgame() * times;
    }
}
