//! Amdahl's law read backwards: from measured speedups to the parallel share and the limit it sets.

/// The parallel share `p` with `speedup = 1 / ((1 - p) + p / threads)` (Säfström and Yllmark 2025, equation 4.5).
/// Below zero when more threads were slower; `None` for one thread or a speedup that is not positive.
pub fn parallel_fraction(speedup: f64, threads: f64) -> Option<f64> {
    if threads <= 1.0 || speedup <= 0.0 || !speedup.is_finite() {
        return None;
    }
    Some((1.0 - 1.0 / speedup) / (1.0 - 1.0 / threads))
}

/// The speedup the law expects of `threads`.
pub fn speedup(fraction: f64, threads: f64) -> f64 {
    1.0 / ((1.0 - fraction) + fraction / threads)
}

/// The speedup no number of threads can pass; `None` when the fraction is 1 or more (no limit).
pub fn limit(fraction: f64) -> Option<f64> {
    (fraction < 1.0).then(|| 1.0 / (1.0 - fraction))
}

/// Speedup per thread (Säfström and Yllmark 2025, equation 4.4).
pub fn efficiency(speedup: f64, threads: f64) -> f64 {
    speedup / threads
}

/// One share for several measurements `(threads, speedup)`: least squares on `1 / speedup = 1 - p (1 - 1/N)`,
/// which is linear in `p` and so has one answer.
pub fn fit_fraction(points: &[(f64, f64)]) -> Option<f64> {
    let usable = points.iter().filter(|(threads, speedup)| *threads > 1.0 && *speedup > 0.0);
    let (mut product, mut square) = (0.0, 0.0);
    for (threads, speedup) in usable {
        let x = 1.0 - 1.0 / threads;
        product += x * (1.0 - 1.0 / speedup);
        square += x * x;
    }
    (square > 0.0).then(|| product / square)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Säfström and Yllmark 2025, section 7.4.
    #[test]
    fn the_seeds_own_example() {
        assert!((parallel_fraction(1.015, 4.0).unwrap() - 0.019_704_433_5).abs() < 1e-9);
        assert!((parallel_fraction(1.693, 2.0).unwrap() - 0.818_665_091_6).abs() < 1e-9);
        assert!((limit(0.82).unwrap() - 5.555_555_555).abs() < 1e-6);
    }

    #[test]
    fn the_fit_recovers_the_fraction_that_made_the_data() {
        let points: Vec<(f64, f64)> = [1.0, 2.0, 4.0, 8.0, 64.0].map(|n| (n, speedup(0.9, n))).to_vec();
        assert!((fit_fraction(&points).unwrap() - 0.9).abs() < 1e-12);
        assert_eq!(fit_fraction(&[(1.0, 1.0)]), None);
    }

    #[test]
    fn a_perfect_program_has_no_limit() {
        assert_eq!(limit(1.0), None);
        assert_eq!(parallel_fraction(2.0, 1.0), None);
        assert_eq!(efficiency(3.0, 4.0), 0.75);
    }
}
