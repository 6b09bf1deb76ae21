//! The mathematics of a step (Spall 1998), in the parametrisation fishtest made known: what matters is how far a
//! parameter is shaken, and how far it moves for it, at the *end* of the run. Pure functions.

use common::Random;

/// How quickly steps shrink; Spall's practical values.
const ALPHA: f64 = 0.602;
/// How quickly perturbations shrink.
const GAMMA: f64 = 0.101;
/// The first steps are held back as if so large a share of the run lay behind them.
const STABILITY: f64 = 0.1;

/// A number to tune.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The engine's option.
    pub name: String,
    pub start: f64,
    pub least: f64,
    pub most: f64,
    /// By how much it is shaken in the last iteration.
    pub shake: f64,
    /// How much of a shake's square a won game moves it in the last iteration.
    pub rate: f64,
}

/// The rate for a run of this length: chance alone then carries a value about one shake away by the end. Half of that
/// over the same games hardly moves anything; twice as much moves more by luck than by merit.
pub fn fitting_rate(iterations: u64, pairs: u64) -> f64 {
    // A pair's result has a standard deviation of about 0.9 points, and the steps' squares add up to 3.4 times the last one's.
    let pairs_in_all = iterations.max(1) as f64 * pairs.max(1) as f64;
    1.0 / (0.9 * (3.4 * pairs_in_all).sqrt())
}

/// One iteration: which way each parameter is shaken, and by how much.
#[derive(Clone, Debug, PartialEq)]
pub struct Shaking {
    /// Signed, one for each parameter.
    pub offsets: Vec<f64>,
    /// What each parameter moves by for every point the shaken-up engine is ahead.
    pub gains: Vec<f64>,
}

impl Shaking {
    /// Iteration `number`, counted from 0, of `total`; depends on nothing but these and the seed.
    pub fn of(parameters: &[Parameter], number: u64, total: u64, seed: u64) -> Self {
        let mut random = Random::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (now, total) = ((number + 1) as f64, total.max(1) as f64);
        let held_back = STABILITY * total;
        let mut shaking = Self { offsets: Vec::new(), gains: Vec::new() };
        for parameter in parameters {
            let sign = if random.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
            let shake = parameter.shake * (total / now).powf(GAMMA);
            let step = parameter.rate
                * parameter.shake
                * parameter.shake
                * ((held_back + total) / (held_back + now)).powf(ALPHA);
            shaking.offsets.push(sign * shake);
            shaking.gains.push(sign * step / shake);
        }
        shaking
    }

    /// The values of one of the two engines: `side` is 1 or -1.
    pub fn shaken(&self, parameters: &[Parameter], values: &[f64], side: f64) -> Vec<i64> {
        let each = parameters.iter().zip(values).zip(&self.offsets);
        each.map(|((parameter, value), offset)| {
            (value + side * offset).clamp(parameter.least, parameter.most).round() as i64
        })
        .collect()
    }

    /// Moves the values by a result: points of the engine shaken up less those of the one shaken down.
    pub fn apply(&self, parameters: &[Parameter], values: &mut [f64], result: f64) {
        for ((parameter, value), gain) in parameters.iter().zip(values).zip(&self.gains) {
            *value = (*value + gain * result).clamp(parameter.least, parameter.most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games decided by a coin carry a value about one shake away, whatever the length of the run.
    #[test]
    fn at_the_fitting_rate_chance_moves_a_value_by_about_one_shake() {
        let mut coin = Random::new(7);
        for (iterations, pairs) in [(300, 1), (300, 4), (3000, 1)] {
            let parameter = Parameter {
                name: "x".to_owned(),
                start: 0.0,
                least: -1e9,
                most: 1e9,
                shake: 4.0,
                rate: fitting_rate(iterations, pairs),
            };
            let parameters = vec![parameter; 60];
            let mut values = vec![0.0; 60];
            for number in 0..iterations {
                // Win, draw and loss alike: a pair's two games have a standard deviation of 1.15 points.
                let games = 2 * pairs;
                let result: f64 = (0..games).map(|_| (coin.next_u64() % 3) as f64 - 1.0).sum();
                Shaking::of(&parameters, number, iterations, 1).apply(&parameters, &mut values, result);
            }
            let spread = (values.iter().map(|value| value * value).sum::<f64>() / 60.0).sqrt();
            assert!((2.5..8.0).contains(&spread), "{iterations} of {pairs}: {spread}");
        }
    }

    fn parameter(start: f64) -> Parameter {
        Parameter { name: "x".to_owned(), start, least: 0.0, most: 100.0, shake: 4.0, rate: 0.02 }
    }

    #[test]
    fn the_last_iteration_has_the_shake_and_rate_asked_for() {
        let last = Shaking::of(&[parameter(50.0)], 999, 1000, 1);
        assert!((last.offsets[0].abs() - 4.0).abs() < 1e-9);
        assert!((last.gains[0].abs() - 0.02 * 4.0).abs() < 1e-9);
        let first = Shaking::of(&[parameter(50.0)], 0, 1000, 1);
        assert!(first.offsets[0].abs() > 4.0 && first.gains[0].abs() > last.gains[0].abs());
        assert_eq!(first, Shaking::of(&[parameter(50.0)], 0, 1000, 1));
    }

    #[test]
    fn values_stay_within_their_range() {
        let parameters = [parameter(99.0)];
        let shaking = Shaking { offsets: vec![5.0], gains: vec![10.0] };
        assert_eq!(shaking.shaken(&parameters, &[99.0], 1.0), [100]);
        assert_eq!(shaking.shaken(&parameters, &[99.0], -1.0), [94]);
        let mut values = [99.0];
        shaking.apply(&parameters, &mut values, 2.0);
        assert_eq!(values, [100.0]);
    }

    /// Games are simulated: the engine nearer to the optimum of both parameters wins more often.
    #[test]
    fn a_simulated_optimum_is_found() {
        let parameters = [parameter(20.0), parameter(90.0)];
        let optimum = [60.0, 40.0];
        let strength = |values: &[i64]| {
            let miss = values.iter().zip(optimum).map(|(value, best)| (*value as f64 - best).powi(2));
            -miss.sum::<f64>() / 400.0
        };
        let mut values: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        let mut coin = Random::new(5);
        let total = 4000;
        for number in 0..total {
            let shaking = Shaking::of(&parameters, number, total, 7);
            let up = strength(&shaking.shaken(&parameters, &values, 1.0));
            let down = strength(&shaking.shaken(&parameters, &values, -1.0));
            let chance = 1.0 / (1.0 + (down - up).exp());
            let mut game = || if coin.unit() < chance { 1.0 } else { -1.0 };
            let result = game() + game();
            shaking.apply(&parameters, &mut values, result);
        }
        assert!((values[0] - 60.0).abs() < 8.0 && (values[1] - 40.0).abs() < 8.0, "{values:?}");
    }
}
