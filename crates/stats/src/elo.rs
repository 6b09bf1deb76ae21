//! The Elo scale: scores to differences and back, and the K-factor rule.

use std::f64::consts::LN_10;

/// The expected score of the stronger side (Elo 1978): `difference` is own minus opponent's rating.
pub fn expected_score(difference: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-difference / 400.0))
}

/// The rating difference that expects `score`; infinite at 0 and 1.
pub fn from_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // Adding zero turns the minus zero of an even score into zero.
        -400.0 * (1.0 / score - 1.0).log10() + 0.0
    }
}

/// Normalised Elo per unit of `(score - 1/2) / standard deviation of one game`.
pub const NORMALISED_UNIT: f64 = 800.0 / LN_10;

/// The K-factor rule (Elo 1978): the rating after a game with `score` against `opponent`.
pub fn k_factor_step(rating: f64, opponent: f64, score: f64, k: f64) -> f64 {
    rating + k * (score - expected_score(rating - opponent))
}

/// Formula 4.2 over a whole series of `(opponent's rating, score)`, in the order played, from `initial`.
pub fn k_factor_rating(initial: f64, games: &[(f64, f64)], k: f64) -> f64 {
    games.iter().fold(initial, |rating, &(opponent, score)| k_factor_step(rating, opponent, score, k))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_differences_are_inverse() {
        for difference in [-400.0, -35.0, 0.0, 1.0, 120.0] {
            assert!((from_score(expected_score(difference)) - difference).abs() < 1e-9);
        }
        assert_eq!(from_score(1.0), f64::INFINITY);
        assert_eq!(from_score(0.0), f64::NEG_INFINITY);
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-15);
    }

    #[test]
    fn a_k_factor_series_worked_by_hand() {
        // 2900 against 2900: expected 1/2, a win gives +5 at K=10. Then 2905 against 3000: expected
        // 1/(1+10^(95/400)) = 0.36659, a draw gives +1.3341.
        let rating = k_factor_rating(2900.0, &[(2900.0, 1.0), (3000.0, 0.5)], 10.0);
        assert!((rating - 2906.3341).abs() < 1e-3, "{rating}");
        assert_eq!(k_factor_rating(2900.0, &[], 10.0), 2900.0);
    }

    #[test]
    fn a_larger_k_moves_further_the_same_way() {
        let games = [(2864.0, 1.0), (2916.0, 1.0), (3043.0, 0.5), (3117.0, 0.5)];
        let by_k = [10.0, 20.0, 30.0].map(|k| k_factor_rating(2950.0, &games, k));
        assert!(by_k[0] > 2950.0 && by_k[1] > by_k[0] && by_k[2] > by_k[1]);
    }
}
