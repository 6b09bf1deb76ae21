//! The mathematics of a step (Spall 1998), in the parametrisation fishtest made known: what counts is how far a
//! parameter is perturbed (`c_end`), and how far it moves (`r_end`), at the *end* of the run. Pure functions.

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
    /// The size of the perturbation in the last iteration.
    pub c_end: f64,
    /// The learning rate in the last iteration: the share of `c_end` squared that one point moves it.
    pub r_end: f64,
}

/// The rate for a run of this length: chance alone then carries a value about one `c_end` away by the end. Half of that
/// over the same games hardly moves anything; twice as much moves more by luck than by merit.
pub fn fitting_rate(iterations: u64, pairs: u64) -> f64 {
    // A pair's result has a standard deviation of about 0.9 points, and the steps' squares add up to 3.4 times the last one's.
    let pairs_in_all = iterations.max(1) as f64 * pairs.max(1) as f64;
    1.0 / (0.9 * (3.4 * pairs_in_all).sqrt())
}

/// One iteration: which way each parameter is perturbed, and by how much.
#[derive(Clone, Debug, PartialEq)]
pub struct Perturbation {
    /// Signed, one for each parameter.
    pub offsets: Vec<f64>,
    /// What each parameter moves by for every point the engine perturbed upwards is ahead.
    pub gains: Vec<f64>,
}

/// The signs of iteration `number`, one for each parameter: `+` or `-`. They are stored with the result.
pub fn signs(seed: u64, number: u64, parameters: usize) -> String {
    let mut random = Random::of_game(seed, 0, number);
    (0..parameters).map(|_| if random.below(2) == 0 { '+' } else { '-' }).collect()
}

/// The signs of stores that did not record them: xoshiro256++ (Blackman and Vigna 2021).
pub fn unrecorded_signs(seed: u64, number: u64, parameters: usize) -> String {
    let mut seeds = Random::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut state = [0; 4].map(|_: u64| seeds.next_u64());
    let mut next = || {
        let [a, b, c, d] = state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c2, d2) = (c ^ a, d ^ b);
        state = [a ^ d2, b ^ c2, c2 ^ (b << 17), d2.rotate_left(45)];
        result
    };
    (0..parameters).map(|_| if next() >> 63 == 0 { '+' } else { '-' }).collect()
}

impl Perturbation {
    /// Iteration `number`, counted from 0, of `total`, with these signs.
    pub fn of(parameters: &[Parameter], number: u64, total: u64, signs: &str) -> Self {
        let (now, total) = ((number + 1) as f64, total.max(1) as f64);
        let held_back = STABILITY * total;
        let mut perturbation = Self { offsets: Vec::new(), gains: Vec::new() };
        for (parameter, sign) in parameters.iter().zip(signs.chars()) {
            let sign = if sign == '+' { 1.0 } else { -1.0 };
            let size = parameter.c_end * (total / now).powf(GAMMA);
            let step = parameter.r_end
                * parameter.c_end
                * parameter.c_end
                * ((held_back + total) / (held_back + now)).powf(ALPHA);
            perturbation.offsets.push(sign * size);
            perturbation.gains.push(sign * step / size);
        }
        perturbation
    }

    /// The values of one of the two engines: `side` is 1 or -1.
    pub fn perturbed(&self, parameters: &[Parameter], values: &[f64], side: f64) -> Vec<i64> {
        let each = parameters.iter().zip(values).zip(&self.offsets);
        each.map(|((parameter, value), offset)| {
            (value + side * offset).clamp(parameter.least, parameter.most).round() as i64
        })
        .collect()
    }

    /// Moves the values by a result: points of the engine perturbed upwards less those of the other.
    pub fn apply(&self, parameters: &[Parameter], values: &mut [f64], result: f64) {
        for ((parameter, value), gain) in parameters.iter().zip(values).zip(&self.gains) {
            *value = (*value + gain * result).clamp(parameter.least, parameter.most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games decided by a coin carry a value about one `c_end` away, whatever the length of the run.
    #[test]
    fn at_the_fitting_rate_chance_moves_a_value_by_about_one_c_end() {
        let mut coin = Random::new(7);
        for (iterations, pairs) in [(300, 1), (300, 4), (3000, 1)] {
            let parameter = Parameter {
                name: "x".to_owned(),
                start: 0.0,
                least: -1e9,
                most: 1e9,
                c_end: 4.0,
                r_end: fitting_rate(iterations, pairs),
            };
            let parameters = vec![parameter; 60];
            let mut values = vec![0.0; 60];
            for number in 0..iterations {
                // Win, draw and loss alike: a pair's two games have a standard deviation of 1.15 points.
                let games = 2 * pairs;
                let result: f64 = (0..games).map(|_| (coin.next_u64() % 3) as f64 - 1.0).sum();
                Perturbation::of(&parameters, number, iterations, &signs(1, number, 60)).apply(&parameters, &mut values, result);
            }
            let spread = (values.iter().map(|value| value * value).sum::<f64>() / 60.0).sqrt();
            assert!((2.5..8.0).contains(&spread), "{iterations} of {pairs}: {spread}");
        }
    }

    fn parameter(start: f64) -> Parameter {
        Parameter { name: "x".to_owned(), start, least: 0.0, most: 100.0, c_end: 4.0, r_end: 0.02 }
    }

    #[test]
    fn the_last_iteration_has_the_sizes_asked_for() {
        let last = Perturbation::of(&[parameter(50.0)], 999, 1000, "+");
        assert!((last.offsets[0].abs() - 4.0).abs() < 1e-9);
        assert!((last.gains[0].abs() - 0.02 * 4.0).abs() < 1e-9);
        let first = Perturbation::of(&[parameter(50.0)], 0, 1000, "+");
        assert!(first.offsets[0].abs() > 4.0 && first.gains[0].abs() > last.gains[0].abs());
        assert_eq!(first, Perturbation::of(&[parameter(50.0)], 0, 1000, "+"));
    }

    /// Values of the generator that earlier versions used, for seed 7 and iteration 3.
    #[test]
    fn signs_repeat_and_those_of_earlier_stores_are_kept() {
        assert_eq!(signs(7, 3, 8), signs(7, 3, 8));
        assert_ne!(signs(7, 3, 64), signs(7, 4, 64));
        assert_eq!(unrecorded_signs(7, 3, 16), "+++-+---+++---++");
    }

    #[test]
    fn values_stay_within_their_range() {
        let parameters = [parameter(99.0)];
        let perturbation = Perturbation { offsets: vec![5.0], gains: vec![10.0] };
        assert_eq!(perturbation.perturbed(&parameters, &[99.0], 1.0), [100]);
        assert_eq!(perturbation.perturbed(&parameters, &[99.0], -1.0), [94]);
        let mut values = [99.0];
        perturbation.apply(&parameters, &mut values, 2.0);
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
            let perturbation = Perturbation::of(&parameters, number, total, &signs(7, number, 2));
            let up = strength(&perturbation.perturbed(&parameters, &values, 1.0));
            let down = strength(&perturbation.perturbed(&parameters, &values, -1.0));
            let chance = 1.0 / (1.0 + (down - up).exp());
            let mut game = || if coin.unit() < chance { 1.0 } else { -1.0 };
            let result = game() + game();
            perturbation.apply(&parameters, &mut values, result);
        }
        assert!((values[0] - 60.0).abs() < 8.0 && (values[1] - 40.0).abs() < 8.0, "{values:?}");
    }
}
