//! Reading and writing notations, beside shakmaty where it has the same: `cargo bench -p chess --bench notation`.
//!
//! All work on the positions and moves of the same random games, made here, so no file is needed. Rounds alternate, so
//! that a noisy machine disturbs all alike; the best round of each counts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "the bench's own games are legal")]

use chess::epd::Epd;
use chess::pgn::{PgnGame, PgnReader};
use chess::{Game, Move, Position};
use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingMode, Chess, EnPassantMode};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[path = "../tests/support/mod.rs"]
mod support;

use support::{Pair, Random};

const ROUNDS: usize = 9;
const GAMES: usize = 200;

/// One move of one game, in every form the benchmarks need.
struct Sample {
    ours: Position,
    theirs: Chess,
    mv: Move,
    their_move: shakmaty::Move,
    san: String,
    uci: String,
    fen: String,
}

/// Random games up to 120 plies, and their text.
fn samples() -> (Vec<Sample>, String) {
    let mut rng = Random::new(1);
    let (mut samples, mut text) = (Vec::new(), String::new());
    for _ in 0..GAMES {
        let mut pair = Pair::standard();
        let mut game = Game::default();
        for _ in 0..120 {
            let moves = pair.ours.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.below(moves.len())];
            samples.push(Sample {
                san: pair.ours.san(mv).to_string(),
                uci: pair.ours.uci(mv, false).to_string(),
                fen: pair.ours.to_fen(),
                their_move: pair.translate(mv),
                ours: pair.ours.clone(),
                theirs: pair.theirs.clone(),
                mv,
            });
            pair.play(mv);
            game.play(mv).expect("legal");
        }
        text += &PgnGame::from_game(&game, false).to_string();
    }
    (samples, text)
}

type Work<'a> = Box<dyn Fn() + 'a>;

/// Best time of each, rounds alternating.
fn best(works: &[&Work]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; works.len()];
    for _ in 0..ROUNDS {
        for (best, work) in best.iter_mut().zip(works) {
            let start = Instant::now();
            work();
            *best = (*best).min(start.elapsed());
        }
    }
    best
}

fn each<'a>(samples: &'a [Sample], work: impl Fn(&Sample) + 'a) -> Work<'a> {
    Box::new(move || samples.iter().for_each(&work))
}

fn main() {
    let (samples, text) = samples();
    let rows: [(&str, Work, Option<Work>); 6] = [
        (
            "SAN read",
            each(&samples, |s| drop(black_box(s.ours.parse_san(&s.san)))),
            Some(each(&samples, |s| {
                let san = San::from_ascii(s.san.trim_end_matches(['+', '#']).as_bytes()).expect("SAN");
                black_box(san.to_move(&s.theirs)).expect("legal");
            })),
        ),
        (
            "SAN write",
            each(&samples, |s| {
                black_box(s.ours.san(s.mv));
            }),
            Some(each(&samples, |s| {
                black_box(SanPlus::from_move(s.theirs.clone(), s.their_move));
            })),
        ),
        ("UCI read", each(&samples, |s| drop(black_box(s.ours.parse_uci(&s.uci)))), None),
        (
            "FEN read",
            each(&samples, |s| drop(black_box(Position::from_fen(&s.fen)))),
            Some(each(&samples, |s| {
                let fen: Fen = s.fen.parse().expect("FEN");
                black_box(fen.into_position::<Chess>(CastlingMode::Standard)).expect("legal");
            })),
        ),
        (
            "FEN write",
            each(&samples, |s| drop(black_box(s.ours.to_fen()))),
            Some(each(&samples, |s| {
                drop(black_box(Fen::from_position(&s.theirs, EnPassantMode::Legal).to_string()));
            })),
        ),
        ("EPD read", each(&samples, |s| drop(black_box(Epd::parse(&s.fen)))), None),
    ];
    println!("{} positions, best of {ROUNDS} rounds, ns each", samples.len());
    println!("{:12}{:>10}{:>12}{:>10}", "", "tabiya", "shakmaty", "ratio");
    for (name, ours, theirs) in &rows {
        let works: Vec<&Work> = std::iter::once(ours).chain(theirs).collect();
        let times: Vec<f64> =
            best(&works).iter().map(|time| time.as_nanos() as f64 / samples.len() as f64).collect();
        match times[..] {
            [ours, theirs] => println!("{name:12}{ours:>10.1}{theirs:>12.1}{:>9.2}x", theirs / ours),
            _ => println!("{name:12}{:>10.1}", times[0]),
        }
    }
    pgn(&text, samples.len());
}

/// Whole games: text to tree and back.
fn pgn(text: &str, plies: usize) {
    let games: Vec<PgnGame> = PgnReader::new(text.as_bytes()).map(|game| game.expect("good")).collect();
    assert_eq!(games.len(), GAMES);
    let read: Work = Box::new(|| {
        black_box(PgnReader::new(text.as_bytes()).count());
    });
    let write: Work = Box::new(|| games.iter().for_each(|game| drop(black_box(game.to_string()))));
    for (name, time) in ["PGN read", "PGN write"].iter().zip(best(&[&read, &write])) {
        let seconds = time.as_secs_f64();
        println!(
            "{name:12}{:>10.0} games/s, {:.1} M plies/s, {:.0} MB/s",
            games.len() as f64 / seconds,
            plies as f64 / seconds / 1e6,
            text.len() as f64 / seconds / 1e6,
        );
    }
}
