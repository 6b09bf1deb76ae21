//! The evaluation, each optimisation measured by itself in one run: `cargo bench -p laser-search --bench evaluation`.
//!
//! Figures are in `results/laser/lookup-tables.md`. The positions are those of a fixed pseudo-random game, so that every
//! bench of a pair does the same work.

use divan::{Bencher, black_box, counter::ItemsCount};
use laser::{Colour, Position, Square};
use laser_search::eval::{
    Beams, Evaluator, Terms, Weights, coverage, fast_coverage, geometry, reference, terms,
};

fn main() {
    divan::main();
}

/// Positions along pseudo-random games that keep both kings.
fn positions() -> Vec<Position> {
    let mut random = common::Random::new(12345);
    let mut found = Vec::new();
    let mut position = Position::start();
    while found.len() < 256 {
        let moves = position.legal_moves();
        let next = position.after(moves[random.below(moves.len())]);
        if next.winner().is_none() {
            position = next;
            found.push(position);
        }
        if found.len() % 64 == 0 {
            position = Position::start();
        }
    }
    found
}

fn run<T>(bencher: Bencher, mut each: impl FnMut(&Position) -> T) {
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for position in &positions {
            black_box(each(black_box(position)));
        }
    });
}

fn kings(position: &Position) -> (Square, Square) {
    match (position.king(Colour::White), position.king(Colour::Black)) {
        (Some(white), Some(black)) => (white, black),
        _ => unreachable!("these games keep both kings"),
    }
}

#[divan::bench]
fn whole_plain(bencher: Bencher) {
    run(bencher, |position| reference(position, &Weights::REFERENCE));
}

#[divan::bench]
fn whole_fast(bencher: Bencher) {
    let evaluator = Evaluator::new(Weights::REFERENCE);
    run(bencher, |position| evaluator.evaluate(position));
}

#[divan::bench]
fn whole_fast_with_mobility(bencher: Bencher) {
    let evaluator = Evaluator::new(Weights::WITH_MOBILITY);
    run(bencher, |position| evaluator.evaluate(position));
}

#[divan::bench]
fn coverage_plain(bencher: Bencher) {
    run(bencher, |position| Colour::ALL.map(|colour| coverage::plain_lengths(position, colour)));
}

#[divan::bench]
fn coverage_sweep(bencher: Bencher) {
    run(bencher, |position| Colour::ALL.map(|colour| fast_coverage::lengths(position, colour)));
}

#[divan::bench]
fn central_computed(bencher: Bencher) {
    run(bencher, |position| terms::central(position.pawns(Colour::White), 500));
}

#[divan::bench]
fn central_table(bencher: Bencher) {
    let tables = geometry::Tables::new(500, 5000);
    run(bencher, |position| {
        let pawns = position.pawns(Colour::White);
        pawns.into_iter().map(|pawn| tables.central[pawn.index()]).sum::<i32>()
    });
}

#[divan::bench]
fn mult_dist_computed(bencher: Bencher) {
    run(bencher, |position| {
        let (_, king) = kings(position);
        let distance =
            |square: Square| geometry::mult_dist(square.file() - king.file(), square.rank() - king.rank());
        Square::all().map(distance).sum::<f32>()
    });
}

#[divan::bench]
fn mult_dist_table(bencher: Bencher) {
    let tables = geometry::Tables::new(500, 5000);
    run(bencher, |position| {
        let (_, king) = kings(position);
        let row = &tables.mult_dist[king.index()];
        Square::all().map(|square| row[square.index()]).sum::<f32>()
    });
}

#[divan::bench]
fn ring_computed(bencher: Bencher) {
    run(bencher, |position| geometry::ring_sum(kings(position).1));
}

#[divan::bench]
fn ring_table(bencher: Bencher) {
    let tables = geometry::Tables::new(500, 5000);
    run(bencher, |position| tables.ring[kings(position).1.index()]);
}

#[divan::bench]
fn weigh_in_reference_order(bencher: Bencher) {
    run(bencher, |position| {
        let (white, black) = kings(position);
        coverage::reference_sum(&[3; 64], white, black)
    });
}

#[divan::bench]
fn weigh_in_lanes(bencher: Bencher) {
    let evaluator = Evaluator::new(Weights::REFERENCE);
    run(bencher, |position| {
        let (white, black) = kings(position);
        evaluator.weigh(&[3; 64], white, black)
    });
}

#[divan::bench]
fn cheap_terms_computed(bencher: Bencher) {
    let weights = Weights::WITH_MOBILITY;
    run(bencher, |position| Colour::ALL.map(|colour| Terms::without_coverage(position, colour, &weights)));
}

#[divan::bench]
fn cheap_terms_table(bencher: Bencher) {
    let evaluator = Evaluator::new(Weights::WITH_MOBILITY);
    run(bencher, |position| {
        Colour::ALL.map(|colour| evaluator.cheap_terms(position, colour, &Beams::of(position)))
    });
}
