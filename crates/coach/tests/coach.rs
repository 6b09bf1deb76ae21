//! The coach on a short game that everybody knows.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use chess::Color;
use chess::pgn::{PgnGame, PgnReader};
use coach::{Coach, CoachError, MoveClass, Review, report};
use human_model::openings::Openings;
use human_model::oracle::PoolOracle;
use human_model::reply::{ReplyModel, Scale};
use kernel::clock::ManualClock;
use std::sync::Arc;

fn read(text: &str) -> PgnGame {
    PgnReader::new(text.as_bytes()).next().unwrap().unwrap()
}

fn review(game: &PgnGame) -> Result<Review, CoachError> {
    let openings = Openings::shipped().unwrap();
    let coach = Coach {
        model: ReplyModel::shared().unwrap(),
        openings: &openings,
        scale: Scale::Lichess,
        ratings: [None, None],
        student: None,
        nodes: 6_000,
    };
    coach.review(
        game,
        &mut PoolOracle::new(4, Arc::new(ManualClock::new()), &eval::Evaluation::shipped()).unwrap(),
        &mut |_, _| {},
    )
}

/// A mate in two thrown away for a pawn, from a game between people: the search of the move played is cut short while its window
/// fails, again and again, and once that made the coach call it a good move.
#[test]
fn a_win_thrown_away_is_told() {
    let game = read(
        "[SetUp \"1\"]\n[FEN \"r3q3/pp5k/2pp1Qb1/2n3R1/4P1N1/P1P5/1PK2P2/3R4 w - - 1 32\"]\n\n32. Qxd6 Qxe4+ 33. Kc1 Nb3# 0-1\n",
    );
    let found = review(&game).unwrap();
    let thrown = &found.moves[0];
    assert_eq!((thrown.san.as_str(), thrown.class), ("Qxd6", MoveClass::Blunder));
    let proof = thrown.proof.as_ref().unwrap();
    assert!(proof.refutation.moves.len() > 1, "the refutation is shown");
}

#[test]
fn a_win_stalemated_away_is_told() {
    let game = read("[SetUp \"1\"]\n[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n\n1. Kf7 1/2-1/2\n");
    let found = review(&game).unwrap();
    assert_eq!(found.moves[0].class, MoveClass::Blunder);
    let text = report::text(&found, None);
    assert!(text.contains("the game is drawn"), "{text}");
}

#[test]
fn legals_mate_is_told_as_a_person_would() {
    let game = read(include_str!("data/coached.pgn"));
    let found = review(&game).unwrap();
    assert_eq!(found.moves.len(), 13);
    let bait = &found.moves[9];
    assert_eq!((bait.san.as_str(), bait.class), ("Bxd1", MoveClass::Blunder));
    let proof = bait.proof.as_ref().expect("a blunder is commented only with a proof");
    assert_eq!(proof.refutation.moves[0], bait.mv);
    assert!(proof.motifs.iter().any(|motif| motif.to_string() == "mate in 2"), "{:?}", proof.motifs);
    assert!(found.moves.iter().all(|played| played.class.is_error() == played.proof.is_some()));
    let [white, black] = &found.sides;
    assert!(white.accuracy.unwrap() > black.accuracy.unwrap());
    assert!(black.rating.interval80.0 < black.rating.mean && black.rating.mean < black.rating.interval80.1);
    assert_eq!(white.level.points(), 1400, "the file's rating is the level comments speak of");

    let text = report::text(&found, Some(Color::Black));
    for expected in ["5... Bxd1??", "mate in 2", "accuracy", "Better:", "at 1300", "played like"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("White: Ann"));

    let annotated = report::annotate(&found).to_string().replace('\n', " ");
    let again = read(&report::annotate(&found).to_string());
    assert_eq!(
        again.moves().collect::<Vec<_>>(),
        game.moves().collect::<Vec<_>>(),
        "the game itself is untouched"
    );
    assert!(annotated.contains("Bxd1 $4") && annotated.contains("[%eval"), "{annotated}");

    let json: serde_json::Value = serde_json::from_str(&report::json(&found)).unwrap();
    assert_eq!(json["moves"][9]["class"], "blunder");
    assert_eq!(json["moves"][9]["proof"]["refutation"][0], "g4d1");
    assert_eq!(json["course"].as_array().unwrap().len(), 14);

    let page = report::html(&found, None);
    assert!(page.contains("Ann &lt;b&gt;") && !page.contains("<b>"), "names never become markup");
    assert!(page.contains("id=\"m9\"") && page.contains("href=\"#m9\""));
    assert!(!page.contains("<script") && !page.contains("http"), "one file, nothing fetched");
}

#[test]
fn what_cannot_be_coached_is_said() {
    assert_eq!(review(&read("*\n")).unwrap_err(), CoachError::NoMoves);
    let shuffled = "[Variant \"Chess960\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 *\n";
    assert_eq!(review(&read(shuffled)).unwrap_err(), CoachError::Chess960);
}

#[test]
fn a_game_without_ratings_is_coached_at_the_level_it_shows() {
    let found = review(&read("1. f3 e5 2. g4 Qh4# 0-1\n")).unwrap();
    let told = found.sides[0].side.told;
    assert_eq!(told, None);
    assert_eq!(f64::from(found.sides[0].level.points()), found.sides[0].rating.mean.trunc());
    assert_eq!(found.moves[2].class, MoveClass::Blunder);
    assert_eq!(found.moves[3].class, MoveClass::Best);
}
