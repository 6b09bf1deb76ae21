//! Adaptive strength: the level follows the person so that they make a chosen score.
//!
//! Two sources tell the strength of the person: the rating estimated from moves, available from the first moves on, and
//! the results, which are slow but decide. The level follows the first and is corrected by the second.

use super::level::Level;
use human_model::expected::Expected;

/// Rating points by which the first results move the level; later ones move it less.
const FIRST_STEP: f64 = 240.0;
/// Steps never shrink below this: people improve.
const LAST_STEP: f64 = 40.0;

#[derive(Clone, PartialEq, Debug)]
pub struct Adaptive {
    /// What the person should score.
    target: f64,
    /// The person's strength before results are looked at.
    estimate: f64,
    /// What the results add to it.
    correction: f64,
    games: u32,
}

impl Adaptive {
    /// `target`: points in a hundred the person should score, kept within 5 and 95.
    pub fn new(target: f64, estimate: f64) -> Adaptive {
        Adaptive { target: (target / 100.0).clamp(0.05, 0.95), estimate, correction: 0.0, games: 0 }
    }

    pub fn games(&self) -> u32 {
        self.games
    }

    /// The rating read from the person's moves.
    pub fn learn(&mut self, estimate: f64) {
        // What the results taught stays: only the sum changes, and slowly, so that no single game upsets it.
        let weight = 1.0 / f64::from(self.games + 1);
        self.estimate += (estimate - self.estimate) * weight;
    }

    /// The level at which the logistic curve gives the person the chosen score.
    pub fn level(&self) -> Level {
        Level::nearest(self.estimate + self.correction - 400.0 * (self.target / (1.0 - self.target)).log10())
    }

    /// A game is over; `score` is the person's.
    pub fn finish(&mut self, score: Expected) {
        let step = (FIRST_STEP / f64::from(self.games + 1).sqrt()).max(LAST_STEP);
        self.correction += step * (score.points() - self.target);
        self.games += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::Random;

    /// A person of a fixed strength plays many games; nothing is known of them at first.
    fn score(strength: f64, target: f64, seed: u64) -> f64 {
        let mut adaptive = Adaptive::new(target, 1500.0);
        let mut random = Random::new(seed);
        let mut points = 0.0;
        let (games, warm_up) = (400, 40);
        for game in 0..games {
            let gap = strength - f64::from(adaptive.level().points());
            let wins = 1.0 / (1.0 + 10f64.powf(-gap / 400.0));
            let result = f64::from(u8::from(random.unit() < wins));
            if game >= warm_up {
                points += result;
            }
            adaptive.finish(Expected::new(result));
        }
        100.0 * points / f64::from(games - warm_up)
    }

    #[test]
    fn the_chosen_score_is_held_against_anyone() {
        for (strength, target) in [(900.0, 50.0), (1500.0, 30.0), (1500.0, 75.0), (2300.0, 50.0)] {
            let found = score(strength, target, 17);
            assert!((found - target).abs() < 6.0, "{strength} scored {found} of {target}");
        }
    }

    #[test]
    fn losing_makes_it_weaker_and_winning_stronger() {
        let mut adaptive = Adaptive::new(50.0, 1500.0);
        let start = adaptive.level();
        adaptive.finish(Expected::LOST);
        assert!(adaptive.level() < start);
        adaptive.finish(Expected::WON);
        adaptive.finish(Expected::WON);
        assert!(adaptive.level() > start);
        assert!(Adaptive::new(90.0, 1500.0).level() < Adaptive::new(10.0, 1500.0).level());
    }

    #[test]
    fn the_moves_speak_before_the_results() {
        let mut adaptive = Adaptive::new(50.0, 1500.0);
        adaptive.learn(2100.0);
        assert_eq!(adaptive.level(), Level::new(2100).unwrap());
        assert_eq!(Adaptive::new(500.0, 1e9).level(), Level::HIGHEST);
    }
}
