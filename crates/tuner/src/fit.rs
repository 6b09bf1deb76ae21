//! Gradient descent: batches in random order, a learning rate that falls, the error on held-out games after each epoch.

use crate::adam::Adam;
use crate::dataset::{Dataset, Row};
use crate::model::{self, Pairs};
use common::Random;
use std::panic::resume_unwind;
use std::thread;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    pub epochs: usize,
    pub batch: usize,
    /// Centipawns a step moves a weight, at first and at last; geometric between.
    pub learning_rate: f32,
    pub final_learning_rate: f32,
    pub threads: usize,
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            epochs: 24,
            batch: 16_384,
            learning_rate: 1.0,
            final_learning_rate: 0.02,
            threads: 1,
            seed: 1,
        }
    }
}

/// Where the descent stands after an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    pub number: usize,
    /// Mean squared error over the epoch's batches, as they were met.
    pub training: f64,
    pub held_out: f64,
}

/// How steeply a file's results follow the score: people lose more won games than engines do.
pub type Steepness = Vec<f32>;

/// Improves `weights` in place. The first source's steepness is the anchor that gives a centipawn its meaning;
/// the others follow the weights.
pub fn fit(
    training: &Dataset,
    held_out: &Dataset,
    weights: &mut Pairs,
    steepness: &mut Steepness,
    settings: &Settings,
    mut progress: impl FnMut(Epoch),
) {
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let mut random = Random::new(settings.seed);
    let mut adam = Adam::default();
    let batches = order.len().div_ceil(settings.batch.max(1));
    let steps = (settings.epochs * batches).max(2) as f32;
    let ratio = settings.final_learning_rate / settings.learning_rate;
    let mut step = 0.0;
    for number in 1..=settings.epochs {
        random.shuffle(&mut order);
        let mut total = 0.0;
        for batch in order.chunks(settings.batch.max(1)) {
            let (error, mut gradient) = batch_gradient(training, batch, weights, steepness, settings.threads);
            total += error;
            let count = batch.len() as f32;
            for pair in &mut gradient {
                *pair = pair.map(|half| half / count);
            }
            adam.step(weights, &gradient, settings.learning_rate * ratio.powf(step / (steps - 1.0)));
            step += 1.0;
        }
        for (source, steepness) in steepness.iter_mut().enumerate().skip(1) {
            *steepness = fit_steepness(training, weights, source, settings.threads);
        }
        let held_out = mean_error(held_out, weights, steepness, settings.threads);
        progress(Epoch { number, training: total / order.len().max(1) as f64, held_out });
    }
}

/// Splits work over threads and collects what each answers.
fn over_threads<I: Sync, O: Send>(items: &[I], threads: usize, work: impl Fn(&[I]) -> O + Sync) -> Vec<O> {
    let share = items.len().div_ceil(threads.max(1)).max(1);
    if threads <= 1 {
        return vec![work(items)];
    }
    thread::scope(|scope| {
        // A share for which the system gives no thread is worked on here.
        let shares: Vec<_> = items
            .chunks(share)
            .map(|chunk| thread::Builder::new().spawn_scoped(scope, || work(chunk)).map_err(|_| work(chunk)))
            .collect();
        let answer = |share: Result<thread::ScopedJoinHandle<'_, O>, O>| match share {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(here) => here,
        };
        shares.into_iter().map(answer).collect()
    })
}

fn batch_gradient(
    data: &Dataset,
    batch: &[u32],
    weights: &Pairs,
    steepness: &Steepness,
    threads: usize,
) -> (f64, Pairs) {
    let parts = over_threads(batch, threads, |chunk| {
        let mut gradient = model::zeros();
        let mut error = 0.0;
        for &index in chunk {
            let row = &data.rows[index as usize];
            error += model::learn(weights, data, row, steepness[usize::from(row.source)], &mut gradient);
        }
        (error, gradient)
    });
    let mut total = 0.0;
    let mut gradient = model::zeros();
    for (error, part) in parts {
        total += error;
        for (sum, pair) in gradient.iter_mut().zip(part) {
            sum[0] += pair[0];
            sum[1] += pair[1];
        }
    }
    (total, gradient)
}

/// Mean squared error of the expected result.
pub fn mean_error(data: &Dataset, weights: &Pairs, steepness: &Steepness, threads: usize) -> f64 {
    mean_error_of(data, weights, threads, |row| Some(steepness[usize::from(row.source)]))
}

/// The same over one source.
pub fn source_error(data: &Dataset, weights: &Pairs, source: usize, steepness: f32, threads: usize) -> f64 {
    mean_error_of(data, weights, threads, |row| (usize::from(row.source) == source).then_some(steepness))
}

fn mean_error_of(
    data: &Dataset,
    weights: &Pairs,
    threads: usize,
    steepness: impl Fn(&Row) -> Option<f32> + Sync,
) -> f64 {
    let parts = over_threads(&data.rows, threads, |rows| {
        let (mut total, mut count) = (0.0, 0usize);
        for row in rows {
            if let Some(steepness) = steepness(row) {
                let expected = model::expectation(model::score(weights, data, row), steepness);
                total += f64::from((expected - row.result).powi(2));
                count += 1;
            }
        }
        (total, count)
    });
    let (total, count) = parts.into_iter().fold((0.0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    total / count.max(1) as f64
}

/// The steepness that suits a source best, by golden section on at most 100,000 of its rows.
pub fn fit_steepness(data: &Dataset, weights: &Pairs, source: usize, threads: usize) -> f32 {
    let rows: Vec<&Row> = data.rows.iter().filter(|row| usize::from(row.source) == source).collect();
    let stride = rows.len().div_ceil(100_000).max(1);
    let rows: Vec<&Row> = rows.into_iter().step_by(stride).collect();
    let scores: Vec<(f32, f32)> = over_threads(&rows, threads, |chunk| {
        chunk.iter().map(|row| (model::score(weights, data, row), row.result)).collect::<Vec<_>>()
    })
    .concat();
    let error = |steepness: f32| -> f64 {
        scores
            .iter()
            .map(|&(score, result)| f64::from((model::expectation(score, steepness) - result).powi(2)))
            .sum()
    };
    let golden = 0.618_034;
    let (mut low, mut high) = (0.0005f32, 0.02f32);
    for _ in 0..24 {
        let width = (high - low) * golden;
        let (left, right) = (high - width, low + width);
        if error(left) < error(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f32::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use eval::hce::Coefficients;
    use eval::hce::features::MATERIAL;

    /// Positions where White is a piece up or down and the result follows: the fit must find that out.
    fn made_up_positions() -> Dataset {
        let mut data = Dataset::default();
        let files = ["1nbqkbnr", "r1bqkbnr", "rn1qkbnr", "rnbqkb1r", "rnbqkbn1"];
        for black in files {
            for turn in ["w", "b"] {
                let up = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {turn} - - 0 1");
                let down =
                    format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/{} {turn} - - 0 1", black.to_uppercase());
                for (fen, result) in [(up, 1.0), (down, 0.0)] {
                    let position = Position::from_fen(&fen).unwrap();
                    data.push(&Coefficients::new(&position).unwrap(), result, 0);
                }
            }
        }
        data
    }

    #[test]
    fn learns_that_pieces_win() {
        let data = made_up_positions();
        let mut weights = model::zeros();
        let mut steepness = vec![0.004];
        let before = mean_error(&data, &weights, &steepness, 1);
        let settings = Settings { epochs: 60, batch: 4, ..Settings::default() };
        let mut last = None;
        fit(&data, &data, &mut weights, &mut steepness, &settings, |epoch| last = Some(epoch));
        let after = mean_error(&data, &weights, &steepness, 1);
        assert!((before - 0.25).abs() < 1e-6, "no knowledge, {before}");
        assert!(after < 0.15, "{after}");
        assert!(weights[MATERIAL.offset + 1][0] > 10.0);
        assert_eq!(last.map(|epoch| epoch.number), Some(60));
    }

    #[test]
    fn threads_share_the_same_work() {
        let data = made_up_positions();
        let weights = model::from_weights(&eval::hce::Weights::FITTED);
        let steepness = vec![0.004];
        let one = mean_error(&data, &weights, &steepness, 1);
        let three = mean_error(&data, &weights, &steepness, 3);
        assert!((one - three).abs() < 1e-9);
        let all: Vec<u32> = (0..data.len() as u32).collect();
        let (_, alone) = batch_gradient(&data, &all, &weights, &steepness, 1);
        let (_, shared) = batch_gradient(&data, &all, &weights, &steepness, 3);
        for (a, b) in alone.iter().flatten().zip(shared.iter().flatten()) {
            assert!((a - b).abs() < 1e-6);
        }
    }
}
