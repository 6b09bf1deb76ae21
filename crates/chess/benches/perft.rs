//! Bulk perft against cozy-chess and shakmaty, in one run: `cargo bench -p chess --bench perft`.
//!
//! Every generator counts the same five trees in turn, round after round, so that a noisy machine disturbs all
//! alike; the best round of each counts. All three count the last ply without playing it. `--once NAME` counts each
//! tree once with one generator, for an instruction counter to watch (see `benches/README.md`).

#![allow(clippy::expect_used)] // a bench whose own positions are wrong may as well stop

use std::hint::black_box;
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;

/// Name, FEN (Shredder castling, which all three read), depth.
const TREES: [(&str, &str, u32); 5] = [
    ("startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", 6),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1", 5),
    ("chess960 a", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 5),
    ("chess960 b", "qnr1bkrb/pppp2pp/3np3/5p2/8/P2P2P1/NPP1PP1P/QN1RBKRB w GDg - 3 9", 5),
    ("chess960 c", "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", 5),
];

struct Generator {
    name: &'static str,
    count: fn(&str, u32) -> u64,
}

const GENERATORS: [Generator; 3] = [
    Generator { name: "tabiya", count: tabiya },
    Generator { name: "cozy-chess", count: cozy },
    Generator { name: "shakmaty", count: shakmaty_perft },
];

fn tabiya(fen: &str, depth: u32) -> u64 {
    let position = chess::Position::from_fen(fen).expect("the bench's own positions are legal");
    chess::perft(&position, depth)
}

fn cozy(fen: &str, depth: u32) -> u64 {
    fn walk(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut leaves = 0;
        if depth == 1 {
            board.generate_moves(|moves| {
                leaves += moves.len() as u64;
                false
            });
        } else {
            board.generate_moves(|moves| {
                for mv in moves {
                    let mut child = board.clone();
                    child.play_unchecked(mv);
                    leaves += walk(&child, depth - 1);
                }
                false
            });
        }
        leaves
    }
    let board = cozy_chess::Board::from_fen(fen, true).expect("the bench's own positions are legal");
    walk(&board, depth)
}

fn shakmaty_perft(fen: &str, depth: u32) -> u64 {
    let fen: shakmaty::fen::Fen = fen.parse().expect("the bench's own positions are legal");
    let position: shakmaty::Chess =
        fen.into_position(shakmaty::CastlingMode::Chess960).expect("the bench's own positions are legal");
    shakmaty::perft(&position, depth)
}

fn once(name: &str) {
    let generator = GENERATORS.iter().find(|g| g.name == name).expect("tabiya, cozy-chess or shakmaty");
    for (tree, fen, depth) in TREES {
        println!("{name} {tree} depth {} nodes {}", depth - 1, (generator.count)(fen, depth - 1));
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "--once") {
        return once(arguments.get(at + 1).map_or("", String::as_str));
    }
    println!(
        "sliders: {}; best of {ROUNDS} rounds, single thread, millions of leaves a second",
        chess::attacks::SLIDERS
    );
    println!(
        "{:12}{:>14}{:>12}{:>12}{:>12}{:>18}",
        "tree", "leaves", "tabiya", "cozy-chess", "shakmaty", "to faster peer"
    );
    let mut logarithms = 0.0;
    for (tree, fen, depth) in TREES {
        let mut best = [Duration::MAX; 3];
        let mut counts = [0; 3];
        for _ in 0..ROUNDS {
            for (i, generator) in GENERATORS.iter().enumerate() {
                let start = Instant::now();
                counts[i] = black_box((generator.count)(black_box(fen), depth));
                best[i] = best[i].min(start.elapsed());
            }
        }
        assert!(counts.iter().all(|c| *c == counts[0]), "{tree}: the generators disagree: {counts:?}");
        let speed = best.map(|time| counts[0] as f64 / time.as_secs_f64() / 1e6);
        let ratio = speed[0] / speed[1].max(speed[2]);
        logarithms += ratio.ln();
        println!(
            "{tree:12}{:>14}{:>12.1}{:>12.1}{:>12.1}{ratio:>17.2}x",
            counts[0], speed[0], speed[1], speed[2]
        );
    }
    println!("geometric mean: {:.2}x the faster peer", (logarithms / TREES.len() as f64).exp());
    threads();
}

/// Two threads against one, on the start position.
fn threads() {
    let start = chess::Position::default();
    let time = |threads| {
        let mut best = Duration::MAX;
        for _ in 0..3 {
            let begun = Instant::now();
            black_box(chess::perft_parallel(&start, 6, threads));
            best = best.min(begun.elapsed());
        }
        best.as_secs_f64()
    };
    println!("two threads: {:.2}x one", time(1) / time(2));
}
