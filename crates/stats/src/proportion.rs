//! Intervals of proportions.

use crate::normal::Z95;

/// The 95 % score interval of a proportion (Wilson 1927); it stays within 0 and 1.
pub fn wilson(hits: usize, total: usize) -> (f64, f64) {
    wilson_of_points(hits as f64, total as f64)
}

/// The same for points that may be halves, as of games with draws; an interval that is a little too wide then, because a draw
/// spreads less than a win and a loss.
pub fn wilson_of_points(hits: f64, total: f64) -> (f64, f64) {
    if total <= 0.0 {
        return (0.0, 1.0);
    }
    let z2 = Z95 * Z95;
    let share = hits / total;
    let centre = share + z2 / (2.0 * total);
    let half = Z95 * (share * (1.0 - share) / total + z2 / (4.0 * total * total)).sqrt();
    let scale = 1.0 + z2 / total;
    (((centre - half) / scale).max(0.0), ((centre + half) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_5_in_10() {
        let (low, high) = wilson(5, 10);
        assert!((low - 0.236_593).abs() < 1e-5 && (high - 0.763_407).abs() < 1e-5, "{low} {high}");
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        assert_eq!(wilson(0, 10).0, 0.0);
        let (low, high) = wilson_of_points(2.5, 10.0);
        assert!(wilson(2, 10).0 < low && low < 0.25 && 0.25 < high && high < wilson(3, 10).1, "{low} {high}");
    }
}
