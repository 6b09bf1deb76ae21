//! Intervals of proportions.

use crate::normal::Z95;

/// The 95 % score interval of a proportion (Wilson 1927); it stays within 0 and 1.
pub fn wilson(hits: usize, total: usize) -> (f64, f64) {
    if total == 0 {
        return (0.0, 1.0);
    }
    let (hits, total) = (hits as f64, total as f64);
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
    }
}
