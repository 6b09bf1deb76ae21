//! Board representation, measured: bitboards with ray tables against the padded array with piece lists.
//!
//! `cargo bench -p laser --bench board`. Each pair of benches does the same work on the same positions and checks the
//! same count; figures and the decision are in `results/laser/board-representation.md`.

#![allow(clippy::wildcard_imports)]

#[allow(dead_code)]
mod padded;

use divan::{Bencher, black_box, counter::ItemsCount};
use laser::{Ko, Move, Position, perft};
use padded::Padded;

/// The start and two middle games, quiet and entangled.
const POSITIONS: [&str; 3] = [
    laser::START_FEN,
    "2ssnw4/8/5sw2/nwnw1SE1NW2/nw3NWNWse1/3SEsw3/8/3NW1NEEE1 W",
    "8/1ss1nwse3/2nwse1NW2/2ne2SWSE1/1nw6/3SE2sw1/3NWSE1NN1/8 W",
];

fn positions() -> Vec<Position> {
    POSITIONS.iter().filter_map(|fen| fen.parse().ok()).collect()
}

fn main() {
    divan::main();
}

/// Leaves counted, last ply not made.
mod perft_bulk {
    use super::*;

    #[divan::bench]
    fn bitboards(bencher: Bencher) {
        let positions = positions();
        let nodes: u64 = positions.iter().map(|position| perft(position, 3, Ko::Reference)).sum();
        bencher.counter(ItemsCount::new(nodes)).bench(|| {
            positions.iter().map(|position| perft(black_box(position), 3, Ko::Reference)).sum::<u64>()
        });
    }

    #[divan::bench]
    fn padded_array(bencher: Bencher) {
        let positions = positions();
        let boards: Vec<Padded> = positions.iter().map(Padded::new).collect();
        let nodes: u64 = boards.iter().map(|board| board.perft(3)).sum();
        assert_eq!(nodes, positions.iter().map(|position| perft(position, 3, Ko::Reference)).sum::<u64>());
        bencher
            .counter(ItemsCount::new(nodes))
            .bench(|| boards.iter().map(|board| black_box(board).perft(3)).sum::<u64>());
    }
}

/// Two plies, every move copied, made and fired: what a search node costs.
mod make_and_fire {
    use super::*;

    fn with_bitboards(position: &Position) -> u64 {
        let mut keys = 0;
        position.for_each_move(|mv| {
            position.after(mv).for_each_move(|reply| {
                let mut next = position.after(mv);
                next.play(reply);
                keys ^= next.key();
            });
        });
        keys
    }

    #[divan::bench]
    fn bitboards(bencher: Bencher) {
        let positions = positions();
        let nodes: u64 = positions.iter().map(|position| perft(position, 2, Ko::Reference)).sum();
        bencher
            .counter(ItemsCount::new(2 * nodes))
            .bench(|| positions.iter().map(|position| with_bitboards(black_box(position))).sum::<u64>());
    }

    fn with_array(board: &Padded) -> u64 {
        let mut keys = 0;
        board.for_each_move(|mv| {
            let mut middle = *board;
            middle.play(mv);
            middle.for_each_move(|reply| {
                let mut next = *board;
                next.play(mv);
                next.play(reply);
                keys ^= next.key();
            });
        });
        keys
    }

    #[divan::bench]
    fn padded_array(bencher: Bencher) {
        let positions = positions();
        let boards: Vec<Padded> = positions.iter().map(Padded::new).collect();
        let nodes: u64 = positions.iter().map(|position| perft(position, 2, Ko::Reference)).sum();
        bencher
            .counter(ItemsCount::new(2 * nodes))
            .bench(|| boards.iter().map(|board| with_array(black_box(board))).sum::<u64>());
    }
}

/// One beam for every move of the side to move, not fired: the inner loop of laser coverage.
mod beams {
    use super::*;

    #[divan::bench]
    fn bitboards(bencher: Bencher) {
        let positions = positions();
        let nodes: u64 = positions.iter().map(Position::move_count).sum();
        bencher.counter(ItemsCount::new(nodes)).bench(|| {
            let mut squares = 0;
            for position in &positions {
                let Some(home) = position.king(position.side_to_move()) else { continue };
                black_box(position).for_each_move(|mv: Move| {
                    let mut next = position.mirrors();
                    next.place(mv);
                    let king = if mv.from() == home { mv.to() } else { home };
                    squares += next.shot_from(king, next.orientation_at(king).facing()).path.len();
                });
            }
            squares
        });
    }

    #[divan::bench]
    fn padded_array(bencher: Bencher) {
        let positions = positions();
        let boards: Vec<Padded> = positions.iter().map(Padded::new).collect();
        let nodes: u64 = positions.iter().map(Position::move_count).sum();
        bencher.counter(ItemsCount::new(nodes)).bench(|| {
            let mut squares = 0;
            for board in &boards {
                black_box(board).for_each_move(|mv| {
                    let mut next = *board;
                    next.place(mv);
                    squares += next.shot(board.side()).1;
                });
            }
            squares
        });
    }
}

/// The same, only for moves that move the king or touch the beam: what an incremental coverage has to do.
mod touching_beams {
    use super::*;

    #[divan::bench]
    fn bitboards(bencher: Bencher) {
        let positions = positions();
        let nodes: u64 = positions.iter().map(Position::move_count).sum();
        bencher.counter(ItemsCount::new(nodes)).bench(|| {
            let mut squares = 0;
            for position in &positions {
                let side = position.side_to_move();
                let Some(home) = position.king(side) else { continue };
                let path = black_box(position).shot(side).path;
                position.for_each_beam_move_of(side, path, |mv: Move| {
                    let mut next = position.mirrors();
                    next.place(mv);
                    let king = if mv.from() == home { mv.to() } else { home };
                    squares += next.shot_from(king, next.orientation_at(king).facing()).path.len();
                });
            }
            squares
        });
    }

    #[divan::bench]
    fn padded_array(bencher: Bencher) {
        let positions = positions();
        let boards: Vec<Padded> = positions.iter().map(Padded::new).collect();
        let nodes: u64 = positions.iter().map(Position::move_count).sum();
        bencher.counter(ItemsCount::new(nodes)).bench(|| {
            let mut squares = 0;
            for board in &boards {
                let mut path = black_box(board).path(board.side());
                path[usize::from(board.king(board.side()))] = true;
                board.for_each_move(|mv| {
                    if [mv.from, mv.via, mv.to].iter().any(|&square| path[usize::from(square)]) {
                        let mut next = *board;
                        next.place(mv);
                        squares += next.shot(board.side()).1;
                    }
                });
            }
            squares
        });
    }
}
