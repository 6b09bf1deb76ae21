//! What an evaluation by the network costs at each level of this CPU, beside the hand-crafted one: `cargo bench -p eval --bench network`.
//!
//! The positions are all those up to two plies from eight starts, in the order a search comes to them, so sums are carried
//! on from parent to child as in play. With a level's name (or `hce`) and a number it evaluates them so many times and says nothing: what valgrind counts
//! for two passes less what it counts for one is the price of the evaluations alone.

mod starts;

use chess::Position;
use eval::hce;
use eval::nnue::simd::Level;
use eval::nnue::{Evaluator, Network};
use starts::positions;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rounds of which the quickest counts: the machine may be busy.
const ROUNDS: usize = 15;

/// Centipawns of a position at a ply.
type Evaluate = dyn FnMut(&Position, usize) -> i32;

/// One way to evaluate.
struct Contender {
    name: &'static str,
    evaluate: Box<Evaluate>,
}

impl Contender {
    fn pass(&mut self, positions: &[(Position, usize)]) -> i64 {
        positions.iter().map(|(position, ply)| i64::from((self.evaluate)(black_box(position), *ply))).sum()
    }
}

fn contenders(network: &Arc<Network>) -> Vec<Contender> {
    let mut hand_crafted = hce::Evaluator::default();
    let hce =
        Contender { name: "hce", evaluate: Box::new(move |position, _| hand_crafted.evaluate(position)) };
    let level = |level: Level| {
        let mut evaluator = Evaluator::at_level(Arc::clone(network), level);
        Contender {
            name: level.name(),
            evaluate: Box::new(move |position, ply| evaluator.evaluate(position, ply)),
        }
    };
    std::iter::once(hce).chain(Level::available().into_iter().map(level)).collect()
}

fn main() -> Result<(), String> {
    let network = Arc::new(Network::embedded().map_err(|error| error.to_string())?);
    let positions = positions();
    let mut contenders = contenders(&network);
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [name, passes] = words.as_slice() {
        let passes: usize =
            passes.parse().map_err(|_| format!("expected a number of passes, found {passes:?}"))?;
        let Some(contender) = contenders.iter_mut().find(|contender| contender.name == name) else {
            return Err(format!("no {name:?} on this machine"));
        };
        for _ in 0..passes {
            black_box(contender.pass(&positions));
        }
        return Ok(());
    }
    let mut best = vec![Duration::MAX; contenders.len()];
    for _ in 0..ROUNDS {
        for (contender, best) in contenders.iter_mut().zip(&mut best) {
            let started = Instant::now();
            black_box(contender.pass(&positions));
            *best = (*best).min(started.elapsed());
        }
    }
    println!("{} positions, the quickest of {ROUNDS} passes", positions.len());
    for (contender, best) in contenders.iter().zip(best) {
        let nanoseconds = best.as_nanos() as f64 / positions.len() as f64;
        println!(
            "{:12} {nanoseconds:7.0} ns an evaluation, {:.2} M a second",
            contender.name,
            1000.0 / nanoseconds
        );
    }
    Ok(())
}
