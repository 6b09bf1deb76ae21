//! The evaluation as a smooth function of its weights, and the gradient of its error.
//!
//! Mirrors `eval::hce::conclude` without rounding; a test holds the two together.

use crate::dataset::{Dataset, Row};
use eval::hce::conclude::{DANGER_LINEAR, DANGER_MOST, DANGER_SQUARED, SCALE_LEAST, SCALE_MOST, SCALE_ONE};
use eval::hce::features::COUNT;
use eval::hce::{Tapered, Use, Weights, phase};

/// A middlegame and an endgame number for every weight: weights, gradients, moments.
pub type Pairs = Vec<[f32; 2]>;

pub fn zeros() -> Pairs {
    vec![[0.0; 2]; COUNT]
}

pub fn from_weights(weights: &Weights) -> Pairs {
    weights.table().iter().map(|pair| [pair.middlegame() as f32, pair.endgame() as f32]).collect()
}

/// Rounded to whole centipawns.
pub fn to_weights(pairs: &[[f32; 2]]) -> Weights {
    let mut table = [Tapered::ZERO; COUNT];
    for (place, pair) in table.iter_mut().zip(pairs) {
        *place = Tapered::new(pair[0].round() as i32, pair[1].round() as i32);
    }
    Weights::from_table(table)
}

fn sum(weights: &[[f32; 2]], uses: &[Use]) -> [f32; 2] {
    let mut total = [0.0; 2];
    for one in uses {
        let weight = weights[usize::from(one.place)];
        let times = f32::from(one.times);
        total[0] += weight[0] * times;
        total[1] += weight[1] * times;
    }
    total
}

fn spread(gradient: &mut [[f32; 2]], uses: &[Use], slope: [f32; 2]) {
    for one in uses {
        let times = f32::from(one.times);
        let place = &mut gradient[usize::from(one.place)];
        place[0] += times * slope[0];
        place[1] += times * slope[1];
    }
}

/// What the forward pass leaves for the backward pass.
struct Forward {
    score: f32,
    danger: [[f32; 2]; 2],
    /// Before the scale.
    endgame: f32,
    scale_place: usize,
    factor: f32,
    /// The factor lies within its bounds and follows its weights.
    free: bool,
}

fn forward(weights: &[[f32; 2]], data: &Dataset, row: &Row) -> Forward {
    let uses = data.uses(row);
    let [mut middlegame, mut endgame] = sum(weights, uses.linear);
    let danger = [sum(weights, uses.danger[0]), sum(weights, uses.danger[1])];
    for (sign, [mg, eg]) in [-1.0, 1.0].into_iter().zip(danger) {
        middlegame += sign * mg.clamp(0.0, DANGER_MOST as f32).powi(2) / DANGER_SQUARED as f32;
        endgame += sign * eg.clamp(0.0, DANGER_MOST as f32) / DANGER_LINEAR as f32;
    }
    let scale_place = usize::from(row.scale[usize::from(endgame < 0.0)]);
    let wanted = weights[scale_place][1] + sum(weights, uses.winnable)[1];
    let allowed = wanted.clamp(SCALE_LEAST as f32, SCALE_MOST as f32);
    let factor = allowed / SCALE_ONE as f32;
    let share = share(row);
    let score = middlegame * share + endgame * factor * (1.0 - share);
    Forward { score, danger, endgame, scale_place, factor, free: wanted == allowed }
}

/// The middlegame's share of the mix.
fn share(row: &Row) -> f32 {
    f32::from(row.phase) / phase::FULL as f32
}

/// White's score in centipawns.
pub fn score(weights: &[[f32; 2]], data: &Dataset, row: &Row) -> f32 {
    forward(weights, data, row).score
}

/// The expected result for a score; `steepness` is per centipawn.
pub fn expectation(score: f32, steepness: f32) -> f32 {
    1.0 / (1.0 + (-steepness * score).exp())
}

/// Adds one row's gradient of (expectation - result)² and answers that error.
pub fn learn(
    weights: &[[f32; 2]],
    data: &Dataset,
    row: &Row,
    steepness: f32,
    gradient: &mut [[f32; 2]],
) -> f64 {
    let uses = data.uses(row);
    let pass = forward(weights, data, row);
    let expected = expectation(pass.score, steepness);
    let error = expected - row.result;
    let slope = 2.0 * error * expected * (1.0 - expected) * steepness;

    let share = share(row);
    let middlegame = slope * share;
    let scaled = slope * (1.0 - share);
    let endgame = scaled * pass.factor;
    if pass.free {
        let lever = scaled * pass.endgame / SCALE_ONE as f32;
        gradient[pass.scale_place][1] += lever;
        spread(gradient, uses.winnable, [0.0, lever]);
    }
    spread(gradient, uses.linear, [middlegame, endgame]);
    for ((sign, danger), uses) in [-1.0, 1.0].into_iter().zip(pass.danger).zip(uses.danger) {
        // Beyond the bounds danger costs the same whatever the weights.
        let within = |danger: f32| danger > 0.0 && danger < DANGER_MOST as f32;
        let steep = [
            if within(danger[0]) { sign * middlegame * 2.0 * danger[0] / DANGER_SQUARED as f32 } else { 0.0 },
            if within(danger[1]) { sign * endgame / DANGER_LINEAR as f32 } else { 0.0 },
        ];
        spread(gradient, uses, steep);
    }
    f64::from(error * error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Color, Position};
    use common::Random;
    use eval::hce::Coefficients;
    use eval::hce::Evaluator;

    fn games() -> Vec<Position> {
        let mut random = Random::new(3);
        let mut positions = Vec::new();
        for _ in 0..40 {
            let mut position = Position::default();
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.below(moves.len())]);
                positions.push(position.clone());
            }
        }
        positions
    }

    fn data(positions: &[Position]) -> Dataset {
        let mut data = Dataset::default();
        for (i, position) in positions.iter().enumerate() {
            if let Some(coefficients) = Coefficients::new(position) {
                data.push(&coefficients, (i % 3) as f32 / 2.0, 0);
            }
        }
        data
    }

    #[test]
    fn is_the_evaluation_but_for_rounding() {
        let positions: Vec<_> = games().into_iter().filter(|p| Coefficients::new(p).is_some()).collect();
        let data = data(&positions);
        let mut evaluator = Evaluator::default();
        let weights = from_weights(&Weights::FITTED);
        for (position, row) in positions.iter().zip(&data.rows) {
            let exact = evaluator.evaluate(position) as f32;
            let exact = if position.turn() == Color::White { exact } else { -exact };
            let smooth = score(&weights, &data, row);
            assert!((exact - smooth).abs() < 5.0, "{position:?}: {exact} against {smooth}");
        }
    }

    /// The gradient against differences of the error itself, for every weight that some position uses.
    #[test]
    fn gradient_agrees_with_differences() {
        let positions: Vec<_> = games().into_iter().step_by(37).collect();
        let mut data = data(&positions);
        let mut weights = from_weights(&Weights::FITTED);
        // Off the whole numbers.
        let mut random = Random::new(11);
        for pair in &mut weights {
            for half in pair {
                *half += random.below(1000) as f32 / 1000.0;
            }
        }
        // At the corners of max and sign there is no slope to compare.
        let smooth: Vec<_> = data
            .rows
            .iter()
            .copied()
            .filter(|row| {
                let pass = forward(&weights, &data, row);
                let numbers = [pass.endgame, pass.danger[0][1], pass.danger[1][1]];
                pass.free && numbers.iter().all(|number| number.abs() > 5.0)
            })
            .collect();
        data.rows = smooth;
        let steepness = 0.004;
        let error = |weights: &Pairs| -> f64 {
            let mut total = 0.0;
            for row in &data.rows {
                let expected = f64::from(score(weights, &data, row)) * f64::from(steepness);
                total += (1.0 / (1.0 + (-expected).exp()) - f64::from(row.result)).powi(2);
            }
            total
        };
        let mut gradient = zeros();
        for row in &data.rows {
            learn(&weights, &data, row, steepness, &mut gradient);
        }
        let mut checked = 0;
        for place in 0..COUNT {
            for half in 0..2 {
                if gradient[place][half].abs() < 1e-4 {
                    continue;
                }
                let step = 0.25;
                let mut moved = weights.clone();
                moved[place][half] += step;
                let above = error(&moved);
                moved[place][half] -= 2.0 * step;
                let below = error(&moved);
                let slope = (above - below) / f64::from(2.0 * step);
                let computed = f64::from(gradient[place][half]);
                assert!(
                    (slope - computed).abs() < 0.05 * computed.abs() + 1e-4,
                    "weight {place}, half {half}: {computed} against {slope}"
                );
                checked += 1;
            }
        }
        assert!(checked > 300, "only {checked} weights had a slope to check");
    }
}
