//! Fitting the evaluation's weights to the results of games.
//!
//! The evaluation is linear in its weights, so this is logistic regression: the weights for which the results of many
//! games are likeliest, found by Newton's method (Texel tuning: Österlund 2014). A small ridge penalty towards the
//! starting point decides what the games leave open.

use laser::{Colour, Position};

use crate::eval::{Beams, Evaluator, Weights};

/// The nine weighted terms and having the move.
pub const FEATURES: usize = 10;

/// A position as the fit sees it: White's terms less Black's, each by one unit of its weight, and how the game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub features: [f64; FEATURES],
    /// 1 for White's win, 0 for Black's.
    pub result: f64,
}

/// What a fit came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    pub weights: Weights,
    /// Fine units for having the move.
    pub tempo: i32,
    /// Mean negative log-likelihood of the results, with the scale alone fitted and with all weights.
    pub before: f64,
    pub after: f64,
}

/// A unit large enough that truncation to fine units does no harm.
const UNIT: i32 = 1_000_000;
const UNITS: Weights = Weights {
    material: UNIT,
    between: UNIT,
    central: UNIT,
    face: UNIT,
    aggressive: UNIT,
    coverage: UNIT,
    mobility: UNIT,
    siege: UNIT,
    threat: UNIT,
};

/// Turns positions into samples.
pub struct Sampler(Evaluator);

impl Default for Sampler {
    fn default() -> Sampler {
        Sampler(Evaluator::new(UNITS))
    }
}

impl Sampler {
    /// A sample of a quiet position; `None` when a beam stands on something, because then the board is about to change.
    pub fn sample(&self, position: &Position, result: f64) -> Option<Sample> {
        let beams = Beams::of(position);
        if Colour::ALL.into_iter().any(|colour| beams.path(colour).victim.is_some()) {
            return None;
        }
        let [white, black] = Colour::ALL.map(|colour| {
            let terms = self.0.terms(position, colour)?;
            let values = [
                terms.material,
                terms.between,
                terms.central,
                terms.face,
                terms.aggressive,
                terms.coverage,
                terms.mobility,
                terms.siege,
                terms.threat,
            ];
            Some(values.map(|value| f64::from(value) / f64::from(UNIT)))
        });
        let (white, black) = (white?, black?);
        let mut features = [0.0; FEATURES];
        for (feature, (white, black)) in features.iter_mut().zip(white.iter().zip(black)) {
            *feature = white - black;
        }
        features[FEATURES - 1] = if position.side_to_move() == Colour::White { 1.0 } else { -1.0 };
        Some(Sample { features, result })
    }
}

fn expectation(theta: &[f64; FEATURES], sample: &Sample) -> f64 {
    let sum: f64 = theta.iter().zip(sample.features).map(|(weight, feature)| weight * feature).sum();
    1.0 / (1.0 + (-sum).exp())
}

fn mean_loss(theta: &[f64; FEATURES], samples: &[Sample]) -> f64 {
    let loss = |sample: &Sample| {
        let expected = expectation(theta, sample).clamp(1e-9, 1.0 - 1e-9);
        -(sample.result * expected.ln() + (1.0 - sample.result) * (1.0 - expected).ln())
    };
    samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
}

/// Solves a symmetric positive definite system by elimination.
fn solve(mut matrix: [[f64; FEATURES]; FEATURES], mut right: [f64; FEATURES]) -> [f64; FEATURES] {
    for pivot in 0..FEATURES {
        let pivot_row = matrix[pivot];
        for row in pivot + 1..FEATURES {
            let factor = matrix[row][pivot] / pivot_row[pivot];
            for (entry, above) in matrix[row].iter_mut().zip(pivot_row).skip(pivot) {
                *entry -= factor * above;
            }
            right[row] -= factor * right[pivot];
        }
    }
    let mut solution = [0.0; FEATURES];
    for row in (0..FEATURES).rev() {
        let known: f64 = (row + 1..FEATURES).map(|column| matrix[row][column] * solution[column]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    solution
}

/// The likeliest weights, starting from and drawn back to `start`.
fn newton(samples: &[Sample], start: [f64; FEATURES], ridge: f64) -> [f64; FEATURES] {
    let mut theta = start;
    for _ in 0..20 {
        let mut gradient = [0.0; FEATURES];
        let mut curvature = [[0.0; FEATURES]; FEATURES];
        for sample in samples {
            let expected = expectation(&theta, sample);
            let slope = expected * (1.0 - expected);
            for (row, feature) in sample.features.iter().enumerate() {
                gradient[row] += (expected - sample.result) * feature;
                for (entry, other) in curvature[row].iter_mut().zip(sample.features) {
                    *entry += slope * feature * other;
                }
            }
        }
        for index in 0..FEATURES {
            // In proportion to each weight's own size, so that the unit of a term does not matter.
            let strength = ridge * samples.len() as f64 / start[index].powi(2).max(1e-6);
            gradient[index] += strength * (theta[index] - start[index]);
            curvature[index][index] += strength;
        }
        let step = solve(curvature, gradient);
        for (weight, step) in theta.iter_mut().zip(step) {
            *weight -= step;
        }
        if step.iter().zip(theta).all(|(step, weight)| step.abs() < 1e-9 + 1e-6 * weight.abs()) {
            break;
        }
    }
    theta
}

/// The scale that suits the given weights best, by golden section.
fn scale_of(samples: &[Sample], weights: &[f64; FEATURES]) -> f64 {
    let loss = |scale: f64| mean_loss(&weights.map(|weight| weight * scale), samples);
    let (mut low, mut high) = (1e-6_f64, 1e-2_f64);
    let golden = 0.618_033_988_749_895;
    for _ in 0..40 {
        let (left, right) =
            (high.powf(1.0 - golden) * low.powf(golden), high.powf(golden) * low.powf(1.0 - golden));
        if loss(left) < loss(right) {
            high = right;
        } else {
            low = left;
        }
    }
    (low * high).sqrt()
}

/// Fits weights to samples, a pawn staying what it is. `None` if the games say that pawns are worth nothing.
pub fn fit(samples: &[Sample], start: &Weights, ridge: f64) -> Option<Fitted> {
    let known = [
        start.material,
        start.between,
        start.central,
        start.face,
        start.aggressive,
        start.coverage,
        start.mobility,
        start.siege.max(500),
        start.threat.max(500),
        300,
    ]
    .map(f64::from);
    let scale = scale_of(samples, &known);
    let begin = known.map(|weight| weight * scale);
    let theta = newton(samples, begin, ridge);
    if theta[0] <= 0.0 {
        return None;
    }
    let unit = f64::from(start.material) / theta[0];
    let [material, between, central, face, aggressive, coverage, mobility, siege, threat, tempo] =
        theta.map(|weight| (weight * unit).round() as i32);
    let weights = Weights { material, between, central, face, aggressive, coverage, mobility, siege, threat };
    Some(Fitted { weights, tempo, before: mean_loss(&begin, samples), after: mean_loss(&theta, samples) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples whose results follow given weights exactly.
    fn made(truth: &[f64; FEATURES]) -> Vec<Sample> {
        let mut random = common::Random::new(99);
        let mut next = || random.unit() * 4.0 - 2.0;
        (0..4000)
            .map(|_| {
                let mut sample = Sample { features: std::array::from_fn(|_| next()), result: 0.5 };
                sample.result = expectation(truth, &sample);
                sample
            })
            .collect()
    }

    #[test]
    fn the_weights_behind_the_results_are_found() {
        let truth = [1.0, 0.05, 0.02, 0.7, 1.5, 0.3, 0.1, 0.04, 0.4, 0.02];
        let samples = made(&truth);
        let fitted = fit(&samples, &Weights::WITH_MOBILITY, 0.0).unwrap();
        let expected = Weights {
            material: 10000,
            between: 500,
            central: 200,
            face: 7000,
            aggressive: 15000,
            coverage: 3000,
            mobility: 1000,
            siege: 400,
            threat: 4000,
        };
        assert_eq!((fitted.weights, fitted.tempo), (expected, 200));
        assert!(fitted.after < fitted.before);
    }

    #[test]
    fn samples_are_whites_terms_less_blacks() {
        let sampler = Sampler::default();
        let start = sampler.sample(&Position::start(), 0.5).unwrap();
        for (index, feature) in start.features.iter().enumerate().take(FEATURES - 1) {
            assert!(feature.abs() < 1e-5, "term {index} of the symmetric start: {feature}");
        }
        // One pawn more for White.
        let position: Position = "ss7/8/2nw5/8/4NE3/8/3SE4/6NN1 W".parse().unwrap();
        let sample = sampler.sample(&position, 1.0).unwrap();
        assert!((sample.features[0] - 1.0).abs() < 1e-9);
        // A beam on a pawn: not quiet.
        let position: Position = "1nn6/8/8/8/8/8/8/NN5NW1 B".parse().unwrap();
        let hit: Position = "nn7/8/8/8/NW7/8/8/NN7 W".parse().unwrap();
        assert!(sampler.sample(&position, 1.0).is_some());
        assert!(sampler.sample(&hit, 1.0).is_none());
    }
}
