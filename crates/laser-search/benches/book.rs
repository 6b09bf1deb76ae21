//! What a probe costs: `cargo bench -p laser-search --bench book`. Figures are in `results/laser/book.md`.

use divan::{Bencher, black_box, counter::ItemsCount};
use laser::Position;
use laser_search::{Book, BookEntries, BookMove, Endgame};

fn main() {
    divan::main();
}

/// Positions along pseudo-random games that keep both kings, and one beside each that is in no book.
fn positions() -> (Vec<Position>, Vec<Position>) {
    let mut random = common::Random::new(4711);
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    let mut position = Position::start();
    while known.len() < 50_000 {
        let moves = position.legal_moves();
        let other = position.after(moves[random.below(moves.len())]);
        let next = position.after(moves[random.below(moves.len())]);
        if next.winner().is_some() || other.winner().is_some() || known.len() % 100 == 99 {
            position = Position::start();
            known.push(position);
            continue;
        }
        position = next;
        known.push(position);
        unknown.push(other);
    }
    (known, unknown)
}

fn book(known: &[Position]) -> Book {
    let mut entries = BookEntries::new();
    for position in known {
        if let Some(&mv) = position.legal_moves().first() {
            entries.insert(position.key(), BookMove { mv, score: 0, depth: 9 });
        }
    }
    Book::new(&entries)
}

fn run(bencher: Bencher, book: &Book, positions: &[Position]) {
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        positions.iter().filter(|position| black_box(book).probe(black_box(position)).is_some()).count()
    });
}

#[divan::bench]
fn book_knows(bencher: Bencher) {
    let (known, _) = positions();
    run(bencher, &book(&known), &known);
}

#[divan::bench]
fn book_mostly_does_not_know(bencher: Bencher) {
    let (known, unknown) = positions();
    run(bencher, &book(&known), &unknown);
}

#[divan::bench]
fn bare_kings(bencher: Bencher) {
    let Ok(mut table) = Endgame::new(0) else { return };
    while !table.is_complete() {
        table.advance();
    }
    let squares = laser::Square::all().filter(|square| square.index() != 7);
    let fens: Vec<Position> = squares
        .filter_map(|square| {
            let (file, rank) = (square.file() as usize, square.rank());
            let line = |rank_here: i32| {
                let mut cells = ["1"; 8];
                if rank_here == rank {
                    cells[file] = "ee";
                }
                if rank_here == 0 {
                    cells[7] = "NN";
                }
                cells.concat()
            };
            let board: Vec<String> = (0..8).rev().map(line).collect();
            format!("{} W", board.join("/")).parse().ok()
        })
        .collect();
    bencher.counter(ItemsCount::new(fens.len())).bench_local(|| {
        for position in &fens {
            black_box(table.probe(black_box(position)));
        }
    });
}
