//! Root finding for monotone functions.

/// The root of a decreasing function on `low..high`, both ends possibly poles: Newton steps while they stay
/// inside the bracket, halving otherwise. `function` returns the value and the derivative.
pub fn decreasing_root(mut low: f64, mut high: f64, start: f64, function: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut x = if start > low && start < high { start } else { f64::midpoint(low, high) };
    for _ in 0..200 {
        let (value, slope) = function(x);
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - x).abs() <= 1e-13 * x.abs().max(1.0) {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_root_between_two_poles() {
        // 1/x - 1/(2-x) falls from +inf to -inf on 0..2 and crosses at 1.
        let root = decreasing_root(0.0, 2.0, 0.01, |x| {
            (1.0 / x - 1.0 / (2.0 - x), -1.0 / (x * x) - 1.0 / ((2.0 - x) * (2.0 - x)))
        });
        assert!((root - 1.0).abs() < 1e-10);
    }
}
