//! Adam (Kingma, Ba 2014): each weight takes steps of its own size.

use crate::model::{Pairs, zeros};

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
/// Below the gradient of any weight that matters; a weight no position uses stays put.
const EPSILON: f32 = 1e-9;

pub struct Adam {
    first: Pairs,
    second: Pairs,
    steps: i32,
}

impl Default for Adam {
    fn default() -> Adam {
        Adam { first: zeros(), second: zeros(), steps: 0 }
    }
}

impl Adam {
    /// One step against the mean gradient; `rate` is about the centipawns a weight moves.
    pub fn step(&mut self, weights: &mut Pairs, gradient: &Pairs, rate: f32) {
        self.steps += 1;
        let first_correction = 1.0 - FIRST.powi(self.steps);
        let second_correction = 1.0 - SECOND.powi(self.steps);
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((weight, slope), (first, second)) in weights.iter_mut().zip(gradient).zip(moments) {
            for half in 0..2 {
                first[half] = FIRST * first[half] + (1.0 - FIRST) * slope[half];
                second[half] = SECOND * second[half] + (1.0 - SECOND) * slope[half] * slope[half];
                let mean = first[half] / first_correction;
                let spread = (second[half] / second_correction).sqrt();
                weight[half] -= rate * mean / (spread + EPSILON);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_bottom_of_a_bowl() {
        let (mut weights, mut adam) = (zeros(), Adam::default());
        for step in 0..2000 {
            let mut gradient = zeros();
            gradient[3][0] = weights[3][0] - 5.0;
            gradient[3][1] = 100.0 * (weights[3][1] + 2.0);
            adam.step(&mut weights, &gradient, if step < 1500 { 0.05 } else { 0.001 });
        }
        assert!((weights[3][0] - 5.0).abs() < 0.05, "{:?}", weights[3]);
        assert!((weights[3][1] + 2.0).abs() < 0.05, "{:?}", weights[3]);
        assert_eq!(weights[4], [0.0, 0.0]);
    }
}
