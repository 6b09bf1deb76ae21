//! Percentile bootstrap intervals (Efron): resample, recompute, read the percentiles.

use super::summary::quantile_of_sorted;
use common::Random;

/// An estimate with the interval that covers it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub estimate: f64,
    pub low: f64,
    pub high: f64,
}

/// The `confidence` interval of `statistic` over `items`, resampled `rounds` times from a seeded generator.
///
/// `None` when there are no items or the statistic has no value on the whole sample; resamples on which it
/// has none are left out.
pub fn interval<T: Clone>(
    items: &[T],
    rounds: usize,
    confidence: f64,
    seed: u64,
    statistic: impl Fn(&[T]) -> Option<f64>,
) -> Option<Interval> {
    if items.is_empty() {
        return None;
    }
    let estimate = statistic(items)?;
    let mut rng = Random::new(seed);
    let mut resample = items.to_vec();
    let mut values = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        for place in &mut resample {
            place.clone_from(&items[rng.below(items.len())]);
        }
        values.extend(statistic(&resample));
    }
    if values.is_empty() {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let tail = (1.0 - confidence) / 2.0;
    let low = quantile_of_sorted(&values, tail);
    let high = quantile_of_sorted(&values, 1.0 - tail);
    Some(Interval { estimate, low, high })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Summary;

    fn mean(values: &[f64]) -> Option<f64> {
        Summary::of(values).map(|summary| summary.mean)
    }

    #[test]
    fn the_interval_of_a_mean_agrees_with_the_normal_one() {
        let mut rng = Random::new(11);
        let values: Vec<f64> = (0..400).map(|_| rng.unit()).collect();
        let summary = Summary::of(&values).unwrap();
        let half = 1.96 * summary.standard_deviation / 20.0;
        let interval = interval(&values, 4000, 0.95, 1, mean).unwrap();
        assert!((interval.low - (summary.mean - half)).abs() < 0.003, "{interval:?}");
        assert!((interval.high - (summary.mean + half)).abs() < 0.003, "{interval:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let values: Vec<f64> = (0..40_i32).map(|n| f64::from(n * n % 37) * 1.7).collect();
        let once = interval(&values, 500, 0.9, 5, mean);
        assert!(once.is_some());
        assert_eq!(once, interval(&values, 500, 0.9, 5, mean));
        assert_ne!(once, interval(&values, 500, 0.9, 60, mean));
    }

    #[test]
    fn nothing_has_no_interval() {
        assert!(interval(&[], 10, 0.95, 1, mean).is_none());
    }
}
