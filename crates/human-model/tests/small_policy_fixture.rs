//! The small reply model in Rust against the same weights in PyTorch, on games of our own making.

#![allow(clippy::unwrap_used)]

use chess::{Game, Move};
use human_model::dataset::{Packer, ordered_moves, unpack};
use human_model::oracle::PoolOracle;
use human_model::small_policy::{DEPTHS, DepthLosses, SmallPolicy, SmallPolicyError, training_evaluation};
use kernel::clock::ManualClock;
use std::sync::Arc;

const GAMES: &str = include_str!("data/made-up.tsv");
const EXPECTED: &str = include_str!("data/small-policy.tsv");
static WEIGHTS: &[u8] = include_bytes!("../weights/small-policy.bin");

/// The numbers of a field of the fixture.
fn numbers(field: &str, separator: char) -> Vec<f32> {
    field.split(separator).map(|number| number.parse().unwrap()).collect()
}

/// What the fixture keeps of the searches: a change of the search leaves the test alone.
fn searched(best: &str, losses: &str) -> DepthLosses {
    let row = |field: &str, separator| <[f32; DEPTHS.len()]>::try_from(numbers(field, separator)).unwrap();
    DepthLosses {
        losses: losses.split(' ').map(|mv| row(mv, ',')).collect(),
        best: row(best, ' '),
        known: DEPTHS.len(),
    }
}

#[test]
fn rust_and_pytorch_agree_on_every_move() {
    let model = SmallPolicy::shared().unwrap();
    let mut packer = Packer::default();
    let mut bytes = Vec::new();
    GAMES.lines().for_each(|line| packer.pack(line, &mut bytes).unwrap());
    let mut expected = EXPECTED.lines();
    let mut evaluator = training_evaluation().evaluator();
    let mut compared = 0;
    for packed in unpack(&bytes).map(Result::unwrap) {
        let mut game = Game::default();
        for (ply, choice) in packed.numbers.iter().enumerate() {
            let moves: Vec<Move> = ordered_moves(game.position());
            // As `human-data small-policy` does: the held-out, and training players who do not meet them.
            let (own, held_out) =
                (packed.buckets()[ply % 2], packed.buckets().iter().any(|bucket| *bucket < 5));
            if (own < 5 || own > 16 && !held_out) && ply >= 10 && moves.len() > 1 {
                let fields: Vec<&str> = expected.next().unwrap().split('\t').collect();
                assert_eq!(fields[0], ply.to_string(), "the fixture walks each game in order");
                let depth_losses = searched(fields[1], fields[2]);
                let at_rest = DepthLosses::static_only(game.position(), &moves, &mut evaluator);
                assert_eq!(depth_losses.losses.len(), moves.len());
                for (told, found) in depth_losses.losses.iter().zip(&at_rest.losses) {
                    assert!((told[0] - found[0]).abs() < 1e-6, "ply {ply}: {told:?} and {found:?}");
                }
                let circumstances = packed.circumstances(ply).unwrap();
                for (known, probabilities) in [(1, fields[3]), (DEPTHS.len(), fields[4])] {
                    let replies =
                        model.replies_from(&game, &moves, &depth_losses.truncated(known), &circumstances);
                    for (mv, told) in moves.iter().zip(numbers(probabilities, ' ')) {
                        let found = replies.probability(*mv);
                        assert!((told - found).abs() < 2e-4, "ply {ply}, {mv:?}: {told} and {found}");
                        compared += 1;
                    }
                }
            }
            game.play(moves[usize::from(*choice)]).unwrap();
        }
    }
    assert!(expected.next().is_none() && compared > 1000, "{compared}");
}

/// The searches themselves: all depths are reached, and the best move loses nothing.
#[test]
fn a_search_fills_every_depth() {
    let game = Game::default();
    let moves = ordered_moves(game.position());
    let mut oracle = PoolOracle::new(1, Arc::new(ManualClock::new()), &training_evaluation()).unwrap();
    let mut evaluator = training_evaluation().evaluator();
    let found = DepthLosses::search(&game, &moves, &mut evaluator, &mut oracle).unwrap();
    assert_eq!((found.known, found.losses.len()), (DEPTHS.len(), 20));
    for depth in 0..DEPTHS.len() {
        let least = found.losses.iter().map(|losses| losses[depth]).fold(f32::MAX, f32::min);
        assert!(least.abs() < 1e-6, "depth {depth}: {least}");
    }
}

#[test]
fn probabilities_sum_to_one_without_a_search() {
    let model = SmallPolicy::shared().unwrap();
    let rating = human_model::reply::Rating::new(1500).unwrap();
    let circumstances = human_model::reply::Circumstances::new(rating, human_model::reply::Scale::Lichess);
    let replies =
        model.static_replies(&Game::default(), &circumstances, &mut training_evaluation().evaluator());
    assert_eq!(replies.len(), 20);
    let sum: f32 = replies.as_slice().iter().map(|reply| reply.probability).sum();
    assert!((sum - 1.0).abs() < 1e-4, "{sum}");
}

#[test]
fn damage_is_named() {
    let error = |bytes: &[u8]| SmallPolicy::from_bytes(bytes).err();
    assert_eq!(error(b"something else"), Some(SmallPolicyError::NotWeights));
    let short = &WEIGHTS[..WEIGHTS.len() - 4];
    assert_eq!(error(short), Some(SmallPolicyError::Length { found: short.len(), expected: WEIGHTS.len() }));
    let mut damaged = WEIGHTS.to_vec();
    damaged[8] = 9;
    assert_eq!(error(&damaged), Some(SmallPolicyError::Version { found: 9 }));
    let mut damaged = WEIGHTS.to_vec();
    damaged[12] = 1;
    assert!(matches!(error(&damaged), Some(SmallPolicyError::Shape { what: "inputs", .. })));
    let mut damaged = WEIGHTS.to_vec();
    let last = damaged.len() - 4;
    damaged[last..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(error(&damaged), Some(SmallPolicyError::Number));
}
