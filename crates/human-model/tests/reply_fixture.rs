//! The network in Rust against the network in PyTorch, on games of our own making: both castlings, en passant both ways,
//! an under-promotion, repetitions, clocks nearly run out, every rating scale.

#![allow(clippy::unwrap_used)]

use chess::{Game, Move};
use human_model::reply::{
    Circumstances, Clocks, HeldOutModel, MaiaModel, Rating, Replies, ReplyModel, Scale, Situation,
    TimeControl, WeightsError, policy_index,
};
use std::sync::LazyLock;

const GAMES: &str = include_str!("data/made-up.tsv");
const EXPECTED: &str = include_str!("data/expected.tsv");
const EXPECTED_OF_SECOND: &str = include_str!("data/expected-held-out.tsv");
const EXPECTED_OF_MAIA: &str = include_str!("data/expected-maia.tsv");
static WEIGHTS: &[u8] = include_bytes!("../weights/reply.bin");
static SECOND_WEIGHTS: &[u8] = include_bytes!("../weights/held-out.bin");

struct Record {
    scale: Scale,
    ratings: [u16; 2],
    time_control: Option<TimeControl>,
    moves: Vec<String>,
    clocks: Vec<f32>,
}

fn records() -> Vec<Record> {
    GAMES.lines().map(record).collect()
}

fn record(line: &str) -> Record {
    let fields: Vec<&str> = line.split('\t').collect();
    let scale = match fields[0].split('-').next().unwrap() {
        "lichess" => Scale::Lichess,
        "fics" => Scale::Fics,
        "fide" => Scale::Fide,
        _ => Scale::Mixed,
    };
    let time_control = fields[5].split_once('+').map(|(base, increment)| TimeControl {
        base_seconds: base.parse().unwrap(),
        increment_seconds: increment.parse().unwrap(),
    });
    let clocks = match fields[11] {
        "-" => Vec::new(),
        list => {
            list.split(',').map(|centis| (centis.parse::<f32>().unwrap() / 10.0).floor() / 10.0).collect()
        }
    };
    Record {
        scale,
        ratings: [fields[3].parse().unwrap(), fields[4].parse().unwrap()],
        time_control,
        moves: fields[10].split(' ').map(String::from).collect(),
        clocks,
    }
}

impl Record {
    fn circumstances(&self, ply: usize) -> Circumstances {
        let rating = |player: usize| Rating::new(self.ratings[player % 2]).unwrap();
        let base = self.time_control.map_or(0.0, |control| control.base_seconds);
        let clock = |moves_ago: usize| ply.checked_sub(moves_ago).map_or(base, |at| self.clocks[at]);
        Circumstances {
            rating: rating(ply),
            scale: self.scale,
            opponent: Some(rating(ply + 1)),
            time_control: self.time_control,
            clocks: (!self.clocks.is_empty())
                .then(|| Clocks { own_seconds: clock(2), opponent_seconds: clock(1) }),
        }
    }
}

struct Prediction {
    place: String,
    /// By policy index, from PyTorch.
    expected: Vec<f32>,
    replies: Replies,
    /// In the order of `expected`.
    moves: Vec<Move>,
}

static PREDICTIONS: LazyLock<Vec<Prediction>> = LazyLock::new(|| {
    let model = ReplyModel::shipped().unwrap();
    predictions(EXPECTED, &|game, circumstances| model.replies(&Situation::of(game), circumstances))
});

fn predictions(fixture: &str, replies: &dyn Fn(&Game, &Circumstances) -> Replies) -> Vec<Prediction> {
    let records = records();
    let mut games: Vec<Game> = records.iter().map(|_| Game::default()).collect();
    let mut all = Vec::new();
    for line in fixture.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let (number, ply): (usize, usize) = (fields[0].parse().unwrap(), fields[1].parse().unwrap());
        let expected = fields[2].split(' ').map(|p| p.parse().unwrap()).collect();
        let game = &mut games[number];
        assert_eq!(game.moves().len(), ply, "the fixture walks each game in order");
        let replies = replies(game, &records[number].circumstances(ply));
        let turn = game.position().turn();
        let mut moves: Vec<Move> = game.position().legal_moves().iter().copied().collect();
        moves.sort_by_key(|mv| policy_index(*mv, turn));
        all.push(Prediction { place: format!("game {number}, ply {ply}"), expected, replies, moves });
        let mv = game.position().parse_uci(&records[number].moves[ply]).unwrap();
        game.play(mv).unwrap();
    }
    all
}

#[test]
fn rust_and_pytorch_agree_on_every_move() {
    agree(&PREDICTIONS);
}

#[test]
fn so_they_do_about_the_second_network() {
    let second = HeldOutModel::from_bytes(SECOND_WEIGHTS).unwrap();
    agree(&predictions(EXPECTED_OF_SECOND, &|game, circumstances| {
        second.replies_at(&Situation::of(game), circumstances, 1.0)
    }));
}

/// A file of one small network in Maia's form; `made_up` in `trainer/human/maia.py` has the same numbers.
fn made_up_maia() -> Vec<u8> {
    let (width, layers, gate) = (4, 1, 2);
    let dense = |outputs: usize, inputs: usize| outputs * (inputs + 1);
    let numbers = dense(width, 9 * 112)
        + layers * (2 * dense(width, 9 * width) + dense(gate, width) + dense(2 * width, gate))
        + dense(width, 9 * width)
        + dense(80, 9 * width);
    let mut bytes = b"TBYMAIA1".to_vec();
    for word in [1, 1, width as u32, layers as u32, gate as u32, 1500] {
        bytes.extend(word.to_le_bytes());
    }
    for index in 0..numbers as i64 {
        bytes.extend((((index * 7919 + 13) % 101 - 50) as f32 / 300.0).to_le_bytes());
    }
    let mark = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    bytes.extend(mark.to_le_bytes());
    bytes
}

#[test]
fn a_network_in_the_form_of_maia_agrees_with_pytorch() {
    let bytes = made_up_maia();
    let maia = MaiaModel::from_bytes(&bytes).unwrap();
    agree(&predictions(EXPECTED_OF_MAIA, &|game, circumstances| maia.replies(game, circumstances)));
    let damaged: Vec<u8> = bytes.iter().map(|byte| byte.wrapping_add(u8::from(*byte == 77))).collect();
    assert!(MaiaModel::from_bytes(&damaged).is_err() && MaiaModel::from_bytes(&bytes[..99]).is_err());
}

fn agree(all: &[Prediction]) {
    assert!(all.len() > 100, "only {} positions", all.len());
    let mut worst: f32 = 0.0;
    for Prediction { place, expected, replies, moves } in all {
        assert_eq!(moves.len(), expected.len(), "{place}");
        for (mv, expected) in moves.iter().zip(expected) {
            let difference = (replies.probability(*mv) - expected).abs();
            worst = worst.max(difference);
            assert!(difference < 1e-4, "{place}: {mv:?} {} expected {expected}", replies.probability(*mv));
        }
    }
    eprintln!("{} positions, largest difference {worst:e}", all.len());
}

#[test]
fn probabilities_sum_to_one() {
    for Prediction { place, replies, .. } in &*PREDICTIONS {
        let sum: f32 = replies.as_slice().iter().map(|reply| reply.probability).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{place}: {sum}");
    }
}

#[test]
fn each_network_knows_its_own_weights() {
    assert_eq!(ReplyModel::from_bytes(SECOND_WEIGHTS).err(), Some(WeightsError::NotWeights));
    assert_eq!(HeldOutModel::from_bytes(WEIGHTS).err(), Some(WeightsError::NotWeights));
    let cut = &SECOND_WEIGHTS[..SECOND_WEIGHTS.len() - 1];
    let error = HeldOutModel::from_bytes(cut).err();
    assert_eq!(error, Some(WeightsError::Length { found: cut.len(), expected: SECOND_WEIGHTS.len() }));
    let mut flipped = SECOND_WEIGHTS.to_vec();
    flipped[5000] ^= 0x55;
    assert!(matches!(HeldOutModel::from_bytes(&flipped).err(), Some(WeightsError::Checksum { .. })));
}

#[test]
fn a_finished_game_has_no_reply() {
    let mut game = Game::default();
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        let mv = game.position().parse_uci(text).unwrap();
        game.play(mv).unwrap();
    }
    let model = ReplyModel::shipped().unwrap();
    let circumstances = Circumstances::new(Rating::new(1500).unwrap(), Scale::Lichess);
    assert!(model.replies(&Situation::of(&game), &circumstances).is_empty());
}

#[test]
fn damaged_weights_are_named_not_used() {
    let error = |bytes: &[u8]| ReplyModel::from_bytes(bytes).err();
    assert_eq!(error(b""), Some(WeightsError::NotWeights));
    assert_eq!(error(b"GARBAGE!"), Some(WeightsError::NotWeights));
    let cut = &WEIGHTS[..WEIGHTS.len() - 1];
    assert_eq!(error(cut), Some(WeightsError::Length { found: cut.len(), expected: WEIGHTS.len() }));
    assert!(matches!(error(&WEIGHTS[..20]), Some(WeightsError::Shape { .. } | WeightsError::Length { .. })));
    for at in [8, 12, 20, 44, 1000, WEIGHTS.len() - 1] {
        let mut flipped = WEIGHTS.to_vec();
        flipped[at] ^= 0x55;
        let error = error(&flipped);
        assert!(error.is_some(), "byte {at} flipped and nobody noticed");
    }
}
