//! How fast positions are evaluated: `cargo bench -p eval`.
//!
//! Each line evaluates every position two plies from eight positions, openings to endings, in the order a search would
//! come to them, so that the pawn table is as warm as in play.

mod starts;

use chess::Position;
use divan::Bencher;
use divan::counter::ItemsCount;
use eval::hce::Evaluator;
use eval::hce::{Breakdown, Coefficients, Weights};
use eval::{EvalTerms, Term};
use std::hint::black_box;

/// Those two plies away.
fn positions() -> Vec<Position> {
    starts::positions().into_iter().filter(|(_, ply)| *ply == 2).map(|(position, _)| position).collect()
}

fn main() {
    divan::main();
}

#[divan::bench]
fn every_term(bencher: Bencher) {
    evaluate(bencher, Evaluator::default());
}

#[divan::bench]
fn masked(bencher: Bencher) {
    evaluate(bencher, Evaluator::with_terms(Weights::FITTED, EvalTerms::NONE.with(Term::Material)));
}

fn evaluate(bencher: Bencher, mut evaluator: Evaluator) {
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        positions.iter().map(|position| i64::from(evaluator.evaluate(black_box(position)))).sum::<i64>()
    });
}

#[divan::bench]
fn breakdown(bencher: Bencher) {
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for position in &positions {
            black_box(Breakdown::new(black_box(position), &Weights::FITTED));
        }
    });
}

#[divan::bench]
fn coefficients(bencher: Bencher) {
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for position in &positions {
            black_box(Coefficients::new(black_box(position)));
        }
    });
}
