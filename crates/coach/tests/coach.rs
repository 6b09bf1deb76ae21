//! The coach on a short game that everybody knows.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use chess::Color;
use chess::pgn::{PgnGame, PgnReader};
use coach::summary::{Phase, Summary};
use coach::{Coach, CoachError, MoveClass, Review, report};
use human_model::openings::Openings;
use human_model::oracle::PoolOracle;
use human_model::reply::{Rating, ReplyModel, Scale};
use kernel::clock::ManualClock;
use std::sync::Arc;

fn read(text: &str) -> PgnGame {
    PgnReader::new(text.as_bytes()).next().unwrap().unwrap()
}

fn review(game: &PgnGame) -> Result<Review, CoachError> {
    review_with(game, 6_000)
}

fn review_with(game: &PgnGame, nodes: u64) -> Result<Review, CoachError> {
    let openings = Openings::shipped().unwrap();
    let coach = Coach {
        model: ReplyModel::shared().unwrap(),
        openings: &openings,
        scale: Scale::Lichess,
        ratings: [None, None],
        student: None,
        nodes,
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

fn game_move(review: &Review, ply: usize, text: &str) -> chess::Move {
    review.positions()[ply].parse_uci(text).unwrap()
}

/// The first look of the default length believes in the sacrifice on f7, and that taking the knight is right.
#[test]
fn a_sacrifice_and_the_reply_that_misses_its_refutation_are_looked_at_longer() {
    let game = read("1. e4 e5 2. Nf3 Nf6 3. Nxe5 Nxe4 4. Nxf7 Kxf7 *\n");
    let found = review_with(&game, 40_000).unwrap();
    let [.., sacrifice, taken] = &found.moves[..] else { panic!() };
    let refutation = &sacrifice.proof.as_ref().expect("4. Nxf7 is an error").refutation;
    assert_eq!(refutation.moves[1], game_move(&found, 7, "d8e7"));
    assert!(taken.class.is_error(), "4... Kxf7 lets the chance go: {taken:?}");
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
    assert!(
        black.rating.is_some_and(|found| found.interval80.0 < found.mean && found.mean < found.interval80.1)
    );
    assert_eq!(
        white.level.map(Rating::points),
        Some(1400),
        "the file's rating is the level comments speak of"
    );

    let text = report::text(&found, Some(Color::Black));
    for expected in ["5... Bxd1??", "mate in 2", "accuracy", "Better:", "1300-rated players", "played like"] {
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
    let level = found.sides[0].level.map(|level| f64::from(level.points()));
    assert_eq!(level, found.sides[0].rating.map(|estimate| estimate.mean.trunc()));
    assert_eq!(found.moves[2].class, MoveClass::Blunder);
    assert_eq!(found.moves[3].class, MoveClass::Best);
}

fn assert_consistent(review: &Review) {
    assert_eq!(coach::contradictions(review), Vec::<String>::new());
}

#[test]
fn reports_do_not_contradict_themselves() {
    for text in [
        include_str!("data/coached.pgn"),
        // A tragicomedy of mates in 1, missed and allowed.
        "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxe5+ Nxe5 5. d4 Nxc4 6. b3 Nd6 7. Ba3 Nfxe4 8. Bxd6 Bxd6 9. Ne2 Qf6 10. f3 Qh4+ *",
        "[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n\n1. d4 d5 2. c4 dxc4 3. e3 b5 4. a4 c6 5. axb5 cxb5 6. Qf3 Bd7 7. Qxa8 Bc6 8. Qxa7 e6 *",
    ] {
        assert_consistent(&review(&read(text)).unwrap());
    }
}

/// A position in which White is nearly lost and allows mate in 1: the points say nothing, the mate all.
#[test]
fn a_mate_in_one_is_told_as_a_mate() {
    let game = read(
        "[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/2q5/5PPP/3R2K1 w - - 0 1\"]\n\n1. Rf1 h6 2. Rb1 Qa1 3. Rxa1 *\n",
    );
    let found = review(&game).unwrap();
    assert_consistent(&found);
    let lost = read("[SetUp \"1\"]\n[FEN \"1q4k1/5ppp/8/8/8/8/r4PPP/3R2K1 w - - 0 1\"]\n\n1. h3 *\n");
    assert_consistent(&review(&lost).unwrap());
    let helpless = read(
        "[SetUp \"1\"]\n[FEN \"1q4k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\n\n1. Rd1 h6 2. Rc1 Qb2 3. h3 Qxc1+ *\n",
    );
    assert_consistent(&review(&helpless).unwrap());
}

#[test]
fn nothing_is_estimated_from_moves_that_do_not_count() {
    let found = review(&read("1. e4 e5 *\n")).unwrap();
    for side in &found.sides {
        assert_eq!((side.rating, side.level, side.accuracy, side.mean_loss), (None, None, None, None));
    }
    let text = report::text(&found, None);
    assert!(text.contains("not estimated") && !text.contains("played like"), "{text}");
    assert!(!text.contains("accuracy"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&report::json(&found)).unwrap();
    assert!(json["white"]["rating"].is_null() && json["white"]["level"].is_null());
}

#[test]
fn many_games_are_summed_up_for_one_player() {
    let found = review(&read(include_str!("data/coached.pgn"))).unwrap();
    let mut summary = Summary::default();
    summary.add(&found, Some(Color::Black), "C41 Philidor Defence");
    summary.add(&found, Some(Color::Black), "C41 Philidor Defence");
    let opening = summary.phase(Phase::Opening);
    let errors =
        found.moves.iter().filter(|played| played.color == Color::Black && played.class.is_error()).count();
    assert_eq!(opening.errors as usize, 2 * errors);
    assert_eq!(summary.phase(Phase::Endgame).moves, 0);
    let text = summary.text();
    for expected in ["2 games", "opening: ", "C41 Philidor Defence: ", "mate: 2"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

/// The check itself must see what it is made for.
#[test]
fn contradictions_are_found() {
    let found = review(&read(include_str!("data/coached.pgn"))).unwrap();
    assert_consistent(&found);
    let bait = found.moves.iter().position(|played| played.class == MoveClass::Blunder).unwrap();
    let told = |change: &dyn Fn(&mut Review)| {
        let mut changed = found.clone();
        change(&mut changed);
        coach::contradictions(&changed).join("\n")
    };
    assert!(told(&|review| review.moves[bait].class = MoveClass::Good).contains("a proof without an error"));
    let without_reason = told(&|review| {
        let proof = review.moves[bait].proof.as_mut().unwrap();
        proof.motifs.clear();
        proof.drawback = None;
    });
    assert!(without_reason.contains("without a reason") && without_reason.contains("not told as a mate"));
    let silent = told(&|review| {
        review.moves[bait].proof = None;
        review.moves[bait].class = MoveClass::Good;
    });
    assert!(silent.contains("a loss that nobody mentions"), "{silent}");
    let twice = told(&|review| {
        let played = &mut review.moves[bait];
        let proof = played.proof.as_mut().unwrap();
        // As if the refutation took a queen, and one saw it only four moves deep.
        proof.motifs = vec![coach::Motif::Takes(chess::PieceKind::Queen)];
        proof.seen_at = coach::Visibility::Plies(8);
    });
    assert!(twice.contains("a piece taken at once that one sees only deep"), "{twice}");
}

/// From a game between people: the queen is left to be taken, and short searches do not think much of the better move.
#[test]
fn a_queen_left_to_be_taken_is_seen_by_looking_at_the_reply() {
    let game = read(
        "[SetUp \"1\"]\n[FEN \"r2q2r1/ppp3Qp/2n1kp2/3p1b2/P1P2P1P/2N5/3P4/R1B1K1N1 w Q - 4 18\"]\n\n18. Rb1 Rxg7 *\n",
    );
    let found = review(&game).unwrap();
    assert_consistent(&found);
    let proof = found.moves[0].proof.as_ref().unwrap();
    assert!(proof.motifs.iter().any(|motif| motif.to_string() == "hanging queen"), "{:?}", proof.motifs);
    assert!(proof.seen_at.plies().is_some_and(|plies| plies <= 2), "{:?}", proof.seen_at);
}
