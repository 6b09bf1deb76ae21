//! What a sequential test says besides its decision: an estimate without the bias of stopping early, and how long a test lasts.
//!
//! The log-likelihood ratio is taken as Brownian motion between the two bounds (Siegmund, Sequential Analysis, 1985; fishtest
//! does the same). With time counted in pairs and the ratio divided by the distance of the hypotheses, it has variance 1
//! a pair and the drift `t - (t0 + t1) / 2`, where `t` is the mean score above one half in standard deviations of a pair.

use super::elo::{self, NORMALISED_UNIT};
use super::score::Estimate;
use super::sprt::{Model, Sprt, SprtDecision};

/// Brownian motion of variance 1 from 0 to a lower or an upper end.
#[derive(Clone, Copy, Debug)]
struct Corridor {
    /// Distance to the lower end.
    below: f64,
    /// Distance to the upper end.
    above: f64,
}

impl Corridor {
    fn width(self) -> f64 {
        self.below + self.above
    }

    /// The chance to leave at the upper end.
    fn leaves_above(self, drift: f64) -> f64 {
        let (low, all) = (-2.0 * drift * self.below, -2.0 * drift * self.width());
        if all.abs() < 1e-9 {
            self.below / self.width()
        } else if drift > 0.0 {
            low.exp_m1() / all.exp_m1()
        } else {
            // The same, written so that nothing overflows.
            ((low - all).exp() - (-all).exp()) / (1.0 - (-all).exp())
        }
    }

    /// The chance to leave at the upper end at `time` or earlier (the series of Darling and Siegert 1953).
    fn leaves_above_by(self, drift: f64, time: f64) -> f64 {
        let width = self.width();
        let mut later = 0.0;
        for n in 1..=400 {
            let n = f64::from(n);
            let wave = n * std::f64::consts::PI / width;
            let rate = f64::midpoint(drift * drift, wave * wave);
            let size = (drift * self.above - rate * time).exp() / rate;
            // sin(wave * below) with the sign of the term is sin(wave * above).
            later += n * std::f64::consts::PI / (width * width) * (wave * self.above).sin() * size;
            if n * size < 1e-15 {
                break;
            }
        }
        (self.leaves_above(drift) - later).clamp(0.0, 1.0)
    }

    /// The same corridor upside down.
    fn mirrored(self) -> Self {
        Self { below: self.above, above: self.below }
    }

    /// The mean time until it is left.
    fn mean_time(self, drift: f64) -> f64 {
        if drift.abs() < 1e-9 {
            return self.below * self.above;
        }
        let above = self.leaves_above(drift);
        (self.above * above - self.below * (1.0 - above)) / drift
    }
}

/// An estimate in logistic Elo and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unbiased {
    pub elo: f64,
    pub low: f64,
    pub high: f64,
}

/// A test together with the spread of a pair's score.
#[derive(Clone, Copy, Debug)]
pub struct SequentialTest {
    /// The hypotheses as means above one half in standard deviations of a pair.
    t0: f64,
    t1: f64,
    lower: f64,
    upper: f64,
    /// Standard deviation of a pair's score, 0 to 1.
    deviation: f64,
}

impl SequentialTest {
    /// `deviation` is that of a pair's score.
    pub fn new(sprt: &Sprt, deviation: f64) -> Option<Self> {
        if !(deviation > 0.0 && deviation.is_finite()) {
            return None;
        }
        let t = |elo: f64| match sprt.model() {
            Model::Logistic => (elo::expected_score(elo) - 0.5) / deviation,
            Model::Normalised => elo / NORMALISED_UNIT * 2_f64.sqrt(),
        };
        let (elo0, elo1) = sprt.elo_bounds();
        let (lower, upper) = (sprt.lower_bound(), sprt.upper_bound());
        Some(Self { t0: t(elo0), t1: t(elo1), lower, upper, deviation })
    }

    /// For pairs that were played.
    pub fn of_pairs(sprt: &Sprt, pairs: &Estimate) -> Option<Self> {
        Self::new(sprt, pairs.variance.sqrt())
    }

    /// The corridor from a log-likelihood ratio on.
    fn corridor(&self, llr: f64) -> Corridor {
        let unit = self.t1 - self.t0;
        Corridor { below: (llr - self.lower) / unit, above: (self.upper - llr) / unit }
    }

    fn drift(&self, t: f64) -> f64 {
        t - f64::midpoint(self.t0, self.t1)
    }

    fn elo_of(&self, t: f64) -> f64 {
        elo::from_score((0.5 + t * self.deviation).clamp(0.0, 1.0))
    }

    /// Mean number of pairs of a whole test when the truth is `elo0`, the middle of the hypotheses, and `elo1`.
    pub fn mean_lengths(&self) -> [f64; 3] {
        let whole = self.corridor(0.0);
        [self.t0, f64::midpoint(self.t0, self.t1), self.t1].map(|t| whole.mean_time(self.drift(t)))
    }

    /// Mean number of pairs still to come from a log-likelihood ratio on, if `pairs` has the true mean.
    pub fn mean_rest(&self, llr: f64, pairs: &Estimate) -> f64 {
        if llr <= self.lower || llr >= self.upper {
            return 0.0;
        }
        self.corridor(llr).mean_time(self.drift((pairs.score - 0.5) / self.deviation))
    }

    /// The median-unbiased estimate of a test that ended after `pairs` pairs with this ratio: the difference under which an end
    /// at least as extreme has a chance of one half. A test that is not over has none.
    pub fn unbiased(&self, sprt: &Sprt, llr: f64, pairs: u64) -> Option<Unbiased> {
        let unit = self.t1 - self.t0;
        // The last pair carries the ratio a little over its bound.
        let ended = Corridor { below: (-self.lower).max(-llr) / unit, above: self.upper.max(llr) / unit };
        let (corridor, sign) = match sprt.decision(llr) {
            SprtDecision::AcceptH1 => (ended, 1.0),
            SprtDecision::AcceptH0 => (ended.mirrored(), -1.0),
            SprtDecision::Continue => return None,
        };
        let middle = f64::midpoint(self.t0, self.t1);
        // The drift at which such an early end has this chance; the chance grows with the drift towards that end.
        let solve = |chance: f64| {
            let (mut low, mut high) = (-20.0_f64, 20.0_f64);
            for _ in 0..80 {
                let drift = f64::midpoint(low, high);
                if corridor.leaves_above_by(drift, pairs as f64) < chance {
                    low = drift;
                } else {
                    high = drift;
                }
            }
            self.elo_of(middle + sign * f64::midpoint(low, high))
        };
        let (one, other) = (solve(0.025), solve(0.975));
        Some(Unbiased { elo: solve(0.5), low: one.min(other), high: one.max(other) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::Random;

    /// Pairs normal around `t` until the test ends: the ratio and their number.
    fn simulate(test: &SequentialTest, t: f64, random: &mut Random) -> (f64, u64) {
        let (mut llr, mut pairs) = (0.0, 0);
        while llr > test.lower && llr < test.upper {
            llr += (test.t1 - test.t0) * (test.drift(t) + random.normal());
            pairs += 1;
        }
        (llr, pairs)
    }

    #[test]
    fn chances_and_mean_times_are_those_of_the_random_walk() {
        let corridor = Corridor { below: 2.0, above: 3.0 };
        assert!((corridor.leaves_above(0.0) - 0.4).abs() < 1e-12);
        assert!((corridor.leaves_above(1e-7) - 0.4).abs() < 1e-5);
        assert_eq!(corridor.mean_time(0.0), 6.0);
        for drift in [-30.0, -0.7, 0.2, 30.0] {
            let both = corridor.leaves_above(drift) + corridor.mirrored().leaves_above(-drift);
            assert!((both - 1.0).abs() < 1e-9, "{drift}: {both}");
            let late = corridor.leaves_above_by(drift, 1e4);
            assert!((late - corridor.leaves_above(drift)).abs() < 1e-9, "{drift}: {late}");
        }
        assert!(corridor.leaves_above_by(0.1, 0.5) < corridor.leaves_above_by(0.1, 5.0));
    }

    #[test]
    fn estimates_are_median_unbiased_and_cover_the_truth() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalised).unwrap();
        let test = SequentialTest::new(&sprt, 0.2).unwrap();
        for (seed, nelo) in [(1, -4.0), (2, 5.0), (3, 14.0)] {
            let t = nelo / NORMALISED_UNIT * 2_f64.sqrt();
            let truth = test.elo_of(t);
            let mut random = Random::new(seed);
            let (mut above, mut covered, mut naive_above) = (0, 0, 0);
            let runs = 500;
            for _ in 0..runs {
                let (llr, pairs) = simulate(&test, t, &mut random);
                let found = test.unbiased(&sprt, llr, pairs).unwrap();
                let naive =
                    test.elo_of(llr / pairs as f64 / (test.t1 - test.t0) + f64::midpoint(test.t0, test.t1));
                above += i32::from(found.elo > truth);
                covered += i32::from(found.low <= truth && truth <= found.high);
                naive_above += i32::from(naive > truth);
            }
            // Four standard errors of a half over 500 runs are 45; of 95 % they are 20.
            assert!((above - runs / 2).abs() < 45, "{nelo}: {above} of {runs} above, plain {naive_above}");
            assert!((covered - 475).abs() < 20, "{nelo}: {covered} of {runs} covered");
        }
    }

    #[test]
    fn mean_lengths_are_those_of_simulated_tests() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalised).unwrap();
        let test = SequentialTest::new(&sprt, 0.2).unwrap();
        let lengths = test.mean_lengths();
        for (place, t) in [test.t0, f64::midpoint(test.t0, test.t1), test.t1].into_iter().enumerate() {
            let mut random = Random::new(place as u64);
            let mean = (0..300).map(|_| simulate(&test, t, &mut random).1 as f64).sum::<f64>() / 300.0;
            assert!((mean / lengths[place] - 1.0).abs() < 0.2, "{place}: {mean} against {}", lengths[place]);
        }
    }

    #[test]
    fn a_running_test_has_no_estimate_and_no_spread_no_test() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Logistic).unwrap();
        assert!(SequentialTest::new(&sprt, 0.2).unwrap().unbiased(&sprt, 1.0, 100).is_none());
        assert!(SequentialTest::new(&sprt, 0.0).is_none());
    }
}
