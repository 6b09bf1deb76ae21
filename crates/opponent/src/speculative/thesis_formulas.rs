//! Formulas of the thesis that were tried and not used, kept as documented experiments.

/// The promise of a line: the mean static evaluation of its nodes. It assumes average play by both sides and needs the
/// whole tree without pruning, which cost its author half the search depth. `None` for an empty line.
pub fn promise(evaluations: &[i32]) -> Option<f64> {
    (!evaluations.is_empty())
        .then(|| evaluations.iter().map(|value| f64::from(*value)).sum::<f64>() / evaluations.len() as f64)
}

/// The thesis's "necessary success likelihood" (AB - F) / (S - AB), from what plain search, failure and success are
/// worth. It is called a likelihood but is the required *odds*: a gamble that loses as much as it wins needs 1, not 1/2.
/// `None` where success is no better than plain play.
pub fn necessary_success(plain: f64, failure: f64, success: f64) -> Option<f64> {
    (success > plain).then(|| (plain - failure) / (success - plain))
}

/// The probability at which a gamble breaks even, (AB - F) / (S - F): what the formula above was meant to be.
pub fn break_even(plain: f64, failure: f64, success: f64) -> Option<f64> {
    (success > failure).then(|| ((plain - failure) / (success - failure)).clamp(0.0, 1.0))
}

/// The second approach's ratio of a line: its likelihood times how much better it is than the best line. (The text
/// gives the difference both ways round; here a good line counts positive, as its rule "above 0, take the risk" needs.)
pub fn line_ratio(likelihood: f64, evaluation: f64, best_line: f64) -> f64 {
    likelihood * (evaluation - best_line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_and_probabilities_are_different_things() {
        assert_eq!(necessary_success(0.0, -100.0, 100.0), Some(1.0));
        assert_eq!(break_even(0.0, -100.0, 100.0), Some(0.5));
        for (plain, failure, success) in [(0.0, -100.0, 300.0), (50.0, -50.0, 70.0), (0.0, 0.0, 10.0)] {
            let odds = necessary_success(plain, failure, success).unwrap();
            let probability = break_even(plain, failure, success).unwrap();
            assert!((odds / (1.0 + odds) - probability).abs() < 1e-12);
        }
        assert_eq!(necessary_success(10.0, 0.0, 10.0), None);
        assert_eq!(break_even(0.0, 5.0, 5.0), None);
    }

    #[test]
    fn promises_and_ratios() {
        assert_eq!(promise(&[]), None);
        assert_eq!(promise(&[100, -50, 10]), Some(20.0));
        let gamble: f64 = [(0.3, 300.0), (0.7, -100.0)].iter().map(|(p, e)| line_ratio(*p, *e, 0.0)).sum();
        assert!(gamble > 0.0, "worth the risk");
    }
}
