//! The network: every CPU level and every way to an accumulator give the number of the scalar twin from scratch.

#![allow(clippy::unwrap_used, clippy::panic)]

use chess::{Game, Move, Position};
use common::Random;
use eval::nnue::simd::Level;
use eval::nnue::{Evaluator, Network};
use std::sync::Arc;

const STARTS: [&str; 5] = [
    chess::fen::START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

fn network() -> Arc<Network> {
    Arc::new(Network::embedded().unwrap())
}

/// From scratch, by the scalar twin.
fn fresh(network: &Arc<Network>, position: &Position) -> i32 {
    Evaluator::at_level(Arc::clone(network), Level::SCALAR).evaluate(position, 0)
}

fn random_move(position: &Position, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
}

/// Walks trees as a search does: down, back, sideways, past plies that nobody evaluates.
fn walk(
    position: &Position,
    ply: usize,
    depth: usize,
    random: &mut Random,
    visit: &mut dyn FnMut(&Position, usize),
) {
    if random.below(4) > 0 {
        visit(position, ply);
    }
    for _ in 0..random.below(3).min(depth) {
        if let Some(mv) = random_move(position, random) {
            walk(&position.after(mv), ply + 1, depth - 1, random, visit);
        }
    }
}

#[test]
fn incremental_sums_equal_fresh_ones_on_every_level() {
    let network = network();
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let mut evaluators: Vec<(Level, Evaluator)> = Level::available()
        .into_iter()
        .map(|level| (level, Evaluator::at_level(Arc::clone(&network), level)))
        .collect();
    let mut compared = 0;
    for round in 0..120 {
        let mut game = Game::new(Position::from_fen(STARTS[round % STARTS.len()]).unwrap());
        while let Some(mv) = random_move(game.position(), &mut random) {
            if game.moves().len() > 80 {
                break;
            }
            game.play(mv).unwrap();
            walk(game.position(), 0, 6, &mut random, &mut |position, ply| {
                let expected = fresh(&network, position);
                for (level, evaluator) in &mut evaluators {
                    let name = level.name();
                    assert_eq!(evaluator.evaluate(position, ply), expected, "{name}, {}", position.to_fen());
                }
                compared += 1;
            });
        }
    }
    assert!(compared > 5000, "{compared}");
    println!("{compared} positions on {} levels", evaluators.len());
}

#[test]
fn colours_turned_round_change_nothing() {
    let network = network();
    let white =
        Position::from_fen("r3k2r/1p2qpb1/bn2pnp1/3PN3/4P3/2N2Q1p/PPPB1PPP/2KR3R w kq - 0 1").unwrap();
    let black =
        Position::from_fen("2kr3r/pppb1ppp/2n2q1P/4p3/3pn3/BN2PNP1/1P2QPB1/R3K2R b KQ - 0 1").unwrap();
    assert_eq!(fresh(&network, &white), fresh(&network, &black));
}

#[test]
fn deep_plies_share_a_slot_and_stay_right() {
    let network = network();
    let mut evaluator = Evaluator::new(Arc::clone(&network));
    let mut random = Random::new(7);
    let mut position = Position::default();
    for ply in 0..400 {
        let Some(mv) = random_move(&position, &mut random) else { break };
        position.play(mv);
        assert_eq!(evaluator.evaluate(&position, ply), fresh(&network, &position), "ply {ply}");
    }
}

/// The trainer's integer twin wrote these numbers beside the network (`trainer/nnue/fixture.py`).
#[test]
fn the_trainers_numbers_are_reproduced() {
    let network = network();
    let lines = include_str!("../networks/tabiya.tsv");
    let mut compared = 0;
    for line in lines.lines().filter(|line| !line.starts_with('#')) {
        let (fen, expected) = line.split_once('\t').unwrap();
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(fresh(&network, &position), expected.parse::<i32>().unwrap(), "{fen}");
        compared += 1;
    }
    assert!(compared >= 100, "{compared}");
}
