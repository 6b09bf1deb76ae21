//! Reports on many games: none may contradict itself. The games are played by the human-like player, so that every run of
//! this test needs no data and sees blunders of all kinds.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use chess::Game;
use chess::pgn::PgnGame;
use coach::{Coach, contradictions};
use common::Random;
use human_model::openings::Openings;
use human_model::oracle::PoolOracle;
use human_model::reply::{ReplyModel, Scale};
use kernel::clock::ManualClock;
use opponent::human_like::{HumanLikePlayer, Level};
use std::sync::Arc;

const LEVELS: [i64; 5] = [600, 1000, 1400, 1800, 2400];
const NODES: u64 = 600;

fn game(number: usize, plies: usize, oracle: &mut PoolOracle) -> PgnGame {
    let (model, openings) = (ReplyModel::shared().unwrap(), Openings::shared().unwrap());
    let player = HumanLikePlayer { model, openings, character: None };
    let level = Level::new(LEVELS[number % LEVELS.len()]).unwrap();
    let mut random = Random::new(number as u64 + 1);
    let mut game = Game::default();
    while game.moves().len() < plies && game.outcome().is_none() {
        let choice = player.choose(&game, level, &[], oracle, 2 * NODES, &mut random).unwrap();
        game.play(choice.mv).unwrap();
    }
    let mut pgn = PgnGame::from_game(&game, false);
    for tag in ["WhiteElo", "BlackElo"] {
        pgn.tags.set(tag, &level.points().to_string());
    }
    pgn
}

/// Reviews so many games; the errors named in all of them.
fn review(games: usize, plies: usize) -> usize {
    let (model, openings) = (ReplyModel::shared().unwrap(), Openings::shared().unwrap());
    let (ratings, student) = ([None, None], None);
    let coach = Coach { model, openings, scale: Scale::Lichess, ratings, student, nodes: NODES };
    let mut oracle = PoolOracle::new(4, Arc::new(ManualClock::new()), &eval::Evaluation::shipped()).unwrap();
    let mut errors = 0;
    for number in 0..games {
        oracle.clear();
        let pgn = game(number, plies, &mut oracle);
        let found = coach.review(&pgn, &mut oracle, &mut |_, _| {}).unwrap();
        assert_eq!(contradictions(&found), Vec::<String>::new(), "game {number}: {pgn}");
        errors += found.moves.iter().filter(|played| played.proof.is_some()).count();
    }
    errors
}

#[test]
fn a_few_reports_do_not_contradict_themselves() {
    assert!(review(3, 40) > 0, "games of weak players have errors");
}

/// Takes minutes: `cargo test -p coach --test many_reports -- --ignored --nocapture`.
#[test]
#[ignore = "a hundred games take several minutes"]
fn a_hundred_reports_do_not_contradict_themselves() {
    let errors = review(100, 50);
    println!("100 reports, {errors} errors named, no contradiction");
    assert!(errors >= 300, "{errors}");
}
