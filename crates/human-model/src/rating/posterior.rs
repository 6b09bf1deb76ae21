//! The probability distribution over ratings.

use super::evidence::Evidence;
use crate::reply::Scale;
use std::fmt;

const LOWEST: f64 = 600.0;
const STEP: f64 = 50.0;
/// 600 to 2800 by 50.
pub(super) const POINTS: usize = 45;

/// The exponent of a move's likelihood: below 1, because moves of one game are correlated. With 0.8 the intervals hold what they promise on
/// validation players (`results/human`).
const EVIDENCE_WEIGHT: f64 = 0.8;
/// The same where both players' moves are put together: they are moves of the same positions.
const EVIDENCE_WEIGHT_OF_BOTH: f64 = 0.6;
/// Players who are paired are about equally strong: the standard deviation of their distance, and the share of games that were not
/// paired by rating, with theirs. In rated rapid games of Lichess half of all pairs are less than 29 points apart.
const PAIRED: f64 = 75.0;
const UNPAIRED_SHARE: f64 = 0.1;
const UNPAIRED: f64 = 400.0;
/// The chance that a move says nothing about its player, such as a slip of the mouse.
const UNRELATED: f64 = 0.02;
/// Standard deviation of the random walk of a player's form, in rating points a move.
const DRIFT: f64 = 4.0;
/// The same from one game to the next.
const BETWEEN_GAMES: f64 = 60.0;

/// The prior when nothing is known, mean and standard deviation: those of the training games of each source. Online it is
/// wider than the games (400): a narrow prior pulls weak and strong players to the middle (`results/human`).
const fn broad(scale: Scale) -> (f64, f64) {
    match scale {
        Scale::Fide => (2200.0, 280.0),
        Scale::Lichess | Scale::Fics | Scale::Mixed => (1550.0, 500.0),
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Posterior {
    weights: [f64; POINTS],
    moves: u32,
}

/// What a person says of themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelfDescription {
    Beginner,
    Casual,
    Intermediate,
    Club,
    Strong,
    Master,
}

impl SelfDescription {
    pub const ALL: [(&'static str, SelfDescription); 6] = [
        ("beginner", SelfDescription::Beginner),
        ("casual", SelfDescription::Casual),
        ("intermediate", SelfDescription::Intermediate),
        ("club", SelfDescription::Club),
        ("strong", SelfDescription::Strong),
        ("master", SelfDescription::Master),
    ];

    pub fn named(word: &str) -> Option<SelfDescription> {
        SelfDescription::ALL.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, this)| *this)
    }

    /// Words are vague: so are the priors.
    const fn prior(self) -> (f64, f64) {
        match self {
            SelfDescription::Beginner => (900.0, 250.0),
            SelfDescription::Casual => (1200.0, 250.0),
            SelfDescription::Intermediate => (1500.0, 250.0),
            SelfDescription::Club => (1800.0, 220.0),
            SelfDescription::Strong => (2100.0, 200.0),
            SelfDescription::Master => (2450.0, 180.0),
        }
    }
}

/// A mean and intervals, in rating points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub mean: f64,
    /// Contains the true rating with a probability of 80 %.
    pub interval80: (f64, f64),
    pub interval90: (f64, f64),
    /// Moves counted.
    pub moves: u32,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} (80 %: {:.0} to {:.0})", self.mean, self.interval80.0, self.interval80.1)
    }
}

pub(super) fn rating_at(index: usize) -> f64 {
    LOWEST + STEP * index as f64
}

impl Posterior {
    /// Nothing is known.
    pub fn broad(scale: Scale) -> Posterior {
        let (mean, deviation) = broad(scale);
        Posterior::normal(mean, deviation)
    }

    /// A known rating: people are rarely worth exactly what their number says.
    pub fn known(rating: f64) -> Posterior {
        Posterior::normal(rating, 90.0)
    }

    pub fn described(description: SelfDescription) -> Posterior {
        let (mean, deviation) = description.prior();
        Posterior::normal(mean, deviation)
    }

    pub fn normal(mean: f64, deviation: f64) -> Posterior {
        let deviation = deviation.max(STEP / 2.0);
        let clamped = mean.clamp(LOWEST, rating_at(POINTS - 1));
        let weights = std::array::from_fn(|index| {
            let distance = (rating_at(index) - clamped) / deviation;
            (-0.5 * distance * distance).exp()
        });
        Posterior { weights, moves: 0 }.normalised()
    }

    /// Takes in one move.
    pub fn update(&mut self, evidence: &Evidence) {
        self.update_weighted(evidence, EVIDENCE_WEIGHT);
    }

    /// As [`Posterior::update`] with a factor of the caller's: for fitting it.
    pub fn update_weighted(&mut self, evidence: &Evidence, factor: f64) {
        self.drift();
        for (index, weight) in self.weights.iter_mut().enumerate() {
            let likelihood =
                (1.0 - UNRELATED) * evidence.likelihood(rating_at(index)) + UNRELATED * evidence.chance();
            *weight *= likelihood.max(1e-12).powf(factor);
        }
        self.moves += 1;
        *self = self.clone().normalised();
    }

    /// Takes in a game of a pairing by rating: the player's moves and the opponent's, who is likely to be about as strong.
    pub fn update_by_both(&mut self, own: &[Evidence], opponent: &[Evidence]) {
        self.update_by_both_weighted(own, opponent, EVIDENCE_WEIGHT_OF_BOTH);
    }

    /// As [`Posterior::update_by_both`] with a factor of the caller's: for fitting it.
    pub fn update_by_both_weighted(&mut self, own: &[Evidence], opponent: &[Evidence], factor: f64) {
        let mut other = Posterior { weights: [1.0 / POINTS as f64; POINTS], moves: 0 };
        for evidence in opponent {
            other.update_weighted(evidence, factor);
        }
        for evidence in own {
            self.update_weighted(evidence, factor);
        }
        let (paired, unpaired) = (other.widened(PAIRED), other.widened(UNPAIRED));
        for ((weight, near), far) in self.weights.iter_mut().zip(paired.weights).zip(unpaired.weights) {
            *weight *= (1.0 - UNPAIRED_SHARE) * near + UNPAIRED_SHARE * far;
        }
        *self = self.clone().normalised();
    }

    /// A puzzle was tried: a player of rating R solves one rated D with the chance of the logistic curve (Rasch's item
    /// response model in Elo's units).
    pub fn solved(&mut self, difficulty: f64, solved: bool) {
        for (index, weight) in self.weights.iter_mut().enumerate() {
            let chance = 1.0 / (1.0 + 10f64.powf((difficulty - rating_at(index)) / 400.0));
            // A guess may hit and a sure thing may slip.
            let chance = 0.03 + 0.94 * chance;
            *weight *= if solved { chance } else { 1.0 - chance };
        }
        *self = self.clone().normalised();
    }

    /// The prior of the next game of the same player: form changes a little from game to game.
    pub fn next_game(&self) -> Posterior {
        self.widened(BETWEEN_GAMES)
    }

    /// Weaker knowledge: what a quiz found holds only roughly for games.
    pub fn widened(&self, deviation: f64) -> Posterior {
        let mut wide = [0.0; POINTS];
        for (from, weight) in self.weights.iter().enumerate() {
            for (to, cell) in wide.iter_mut().enumerate() {
                let distance = STEP * (from as f64 - to as f64) / deviation.max(1.0);
                *cell += weight * (-0.5 * distance * distance).exp();
            }
        }
        Posterior { weights: wide, moves: self.moves }.normalised()
    }

    pub fn estimate(&self) -> Estimate {
        let mean = self.weights.iter().enumerate().map(|(index, weight)| weight * rating_at(index)).sum();
        let interval = |share: f64| (self.quantile(0.5 - share / 2.0), self.quantile(0.5 + share / 2.0));
        Estimate { mean, interval80: interval(0.8), interval90: interval(0.9), moves: self.moves }
    }

    /// The rating below which this share of the weight lies; each grid point stands for the fifty points around it.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sum = 0.0;
        for (index, weight) in self.weights.iter().enumerate() {
            if sum + weight >= share && *weight > 0.0 {
                return rating_at(index) - STEP / 2.0 + STEP * (share - sum) / weight;
            }
            sum += weight;
        }
        rating_at(POINTS - 1)
    }

    /// How likely each rating is, for plots.
    pub fn weights(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.weights.iter().enumerate().map(|(index, weight)| (rating_at(index), *weight))
    }

    /// A random walk of the player's form: a little weight moves to the neighbours.
    fn drift(&mut self) {
        let share = 0.5 * (DRIFT / STEP).powi(2);
        let old = self.weights;
        for (index, weight) in self.weights.iter_mut().enumerate() {
            let below = old[index.saturating_sub(1)];
            let above = old[(index + 1).min(POINTS - 1)];
            *weight = (1.0 - 2.0 * share) * old[index] + share * (below + above);
        }
    }

    fn normalised(mut self) -> Posterior {
        let total: f64 = self.weights.iter().sum();
        if total > 0.0 && total.is_finite() {
            self.weights.iter_mut().for_each(|weight| *weight /= total);
        } else {
            self.weights = [1.0 / POINTS as f64; POINTS];
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence_for(rating: f64) -> Evidence {
        Evidence::from_fn(30, |at| (0.2 + 0.4 * (-((at - rating) / 500.0).powi(2)).exp()).ln())
    }

    #[test]
    fn a_prior_is_what_was_put_in() {
        for (posterior, mean, width) in [
            (Posterior::known(1723.0), 1723.0, 260.0),
            (Posterior::described(SelfDescription::Club), 1800.0, 620.0),
            (Posterior::broad(Scale::Lichess), 1580.0, 1210.0),
        ] {
            let found = posterior.estimate();
            assert!((found.mean - mean).abs() < 25.0, "{found}");
            let spread = found.interval80.1 - found.interval80.0;
            assert!((spread - width).abs() < 0.2 * width, "{found}: {spread} against {width}");
            assert!(found.interval90.0 < found.interval80.0 && found.interval80.1 < found.interval90.1);
        }
    }

    #[test]
    fn evidence_moves_the_mean_and_narrows_the_interval() {
        let mut posterior = Posterior::broad(Scale::Lichess);
        let before = posterior.estimate();
        for _ in 0..40 {
            posterior.update(&evidence_for(2200.0));
        }
        let after = posterior.estimate();
        assert!((after.mean - 2200.0).abs() < 150.0, "{after}");
        let width = |estimate: Estimate| estimate.interval80.1 - estimate.interval80.0;
        assert!(width(after) < 0.6 * width(before));
        assert_eq!(after.moves, 40);
    }

    #[test]
    fn the_opponents_moves_speak_too_and_less_than_ones_own() {
        let moves = |rating: f64| vec![evidence_for(rating); 20];
        let rated = |own: &[Evidence], opponent: &[Evidence]| {
            let mut posterior = Posterior::broad(Scale::Lichess);
            posterior.update_by_both(own, opponent);
            posterior.estimate()
        };
        let width = |estimate: Estimate| estimate.interval80.1 - estimate.interval80.0;
        let alone = rated(&moves(2000.0), &[]);
        let both = rated(&moves(2000.0), &moves(2000.0));
        assert!(width(both) < width(alone), "{both} and {alone}");
        assert!(both.mean > alone.mean, "{both} and {alone}");
        assert_eq!(both.moves, 20, "only one's own moves are counted");
        // A weaker opponent pulls down, one who was hardly paired by rating next to nothing.
        let strong = rated(&moves(2000.0), &[]).mean;
        let near = rated(&moves(2000.0), &moves(1700.0)).mean;
        let far = rated(&moves(2000.0), &moves(900.0)).mean;
        assert!(near < strong - 20.0 && far > near, "{strong}, {near}, {far}");
    }

    #[test]
    fn impossible_evidence_breaks_nothing() {
        let mut posterior = Posterior::known(1500.0);
        for _ in 0..1000 {
            posterior.update(&Evidence::from_fn(20, |_| f64::NEG_INFINITY));
        }
        let found = posterior.estimate();
        assert!(
            found.mean.is_finite() && found.interval80.0 <= found.mean && found.mean <= found.interval80.1
        );
    }

    #[test]
    fn puzzles_speak_by_their_rating() {
        let mut posterior = Posterior::broad(Scale::Lichess);
        for _ in 0..12 {
            posterior.solved(1900.0, true);
            posterior.solved(2300.0, false);
        }
        let found = posterior.estimate();
        assert!((1900.0..2300.0).contains(&found.mean), "{found}");
        let wide = posterior.widened(200.0).estimate();
        assert!(wide.interval80.1 - wide.interval80.0 > found.interval80.1 - found.interval80.0);
    }
}
