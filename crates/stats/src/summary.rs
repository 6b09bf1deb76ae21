//! Five numbers and two more about a sample.

/// What a box plot shows, with mean and spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    pub count: usize,
    pub minimum: f64,
    pub lower_quartile: f64,
    pub median: f64,
    pub upper_quartile: f64,
    pub maximum: f64,
    pub mean: f64,
    /// Of the sample (divided by n - 1); zero for a single value.
    pub standard_deviation: f64,
}

impl Summary {
    /// `None` for an empty sample or one that holds a value that is not a number.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() || values.iter().any(|value| value.is_nan()) {
            return None;
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        let mean = sorted.iter().sum::<f64>() / count as f64;
        let squares: f64 = sorted.iter().map(|value| (value - mean).powi(2)).sum();
        let standard_deviation = if count > 1 { (squares / (count - 1) as f64).sqrt() } else { 0.0 };
        Some(Self {
            count,
            minimum: sorted[0],
            lower_quartile: quantile_of_sorted(&sorted, 0.25),
            median: quantile_of_sorted(&sorted, 0.5),
            upper_quartile: quantile_of_sorted(&sorted, 0.75),
            maximum: sorted[count - 1],
            mean,
            standard_deviation,
        })
    }
}

/// Linear interpolation between order statistics (type 7 of Hyndman and Fan: what spreadsheets and R do).
/// The slice must be sorted and not empty.
pub(crate) fn quantile_of_sorted(sorted: &[f64], share: f64) -> f64 {
    let place = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// The middle of a sample, `None` when empty.
pub fn median(values: &[f64]) -> Option<f64> {
    Summary::of(values).map(|summary| summary.median)
}

/// The geometric mean; `None` when empty or when a value is not positive.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() || values.iter().any(|value| value.is_nan() || *value <= 0.0) {
        return None;
    }
    Some((values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_as_a_spreadsheet_gives_them() {
        let summary = Summary::of(&[7.0, 15.0, 36.0, 39.0, 40.0, 41.0]).unwrap();
        assert_eq!(
            (
                summary.minimum,
                summary.lower_quartile,
                summary.median,
                summary.upper_quartile,
                summary.maximum
            ),
            (7.0, 20.25, 37.5, 39.75, 41.0)
        );
        assert!((summary.mean - 29.666_666_666_666_67).abs() < 1e-12);
        assert!((summary.standard_deviation - 14.773_850_773_128_4).abs() < 1e-9);
    }

    #[test]
    fn a_single_value_has_no_spread() {
        let summary = Summary::of(&[3.0]).unwrap();
        assert_eq!((summary.median, summary.standard_deviation, summary.count), (3.0, 0.0, 1));
    }

    #[test]
    fn what_cannot_be_summarised_is_none() {
        assert!(Summary::of(&[]).is_none());
        assert!(Summary::of(&[1.0, f64::NAN]).is_none());
        assert!(geometric_mean(&[1.0, 0.0]).is_none());
        assert!(geometric_mean(&[]).is_none());
    }

    #[test]
    fn geometric_mean_of_ratios() {
        assert!((geometric_mean(&[0.5, 2.0, 4.0, 0.25]).unwrap() - 1.0).abs() < 1e-12);
        assert!((geometric_mean(&[1.0, 10.0, 100.0]).unwrap() - 10.0).abs() < 1e-12);
    }
}
