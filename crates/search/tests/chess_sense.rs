//! Positions whose truth is known.
#![allow(clippy::unwrap_used)]

use chess::{Game, Move, Position};
use kernel::clock::ManualClock;
use kernel::counters::Count;
use kernel::{Event, Kind, Limits, Outcome, Release, Score};
use search::SearchPool;
use std::sync::Arc;

fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(Position::from_fen(fen).unwrap());
    for text in moves.split_whitespace() {
        let mv = game.position().parse_uci(text).unwrap();
        game.play(mv).unwrap();
    }
    game
}

fn think(game: &Game, limits: Limits) -> Outcome<Move> {
    let mut pool = SearchPool::new(Release, 4, Arc::new(ManualClock::new())).unwrap();
    pool.search(game, &[], limits, &mut |_: Event<'_, Move>| {})
}

fn text(game: &Game, outcome: &Outcome<Move>) -> String {
    outcome.best.map_or_else(|| "(none)".into(), |mv| game.position().uci(mv, false).to_string())
}

#[test]
fn mates_are_found_with_their_exact_length() {
    for (fen, plies) in [
        ("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
        ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", 3),
        ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", 0),
    ] {
        let game = game(fen, "");
        let outcome = think(&game, Limits::depth(12));
        let expected = if plies == 0 { Kind::MatedIn(0) } else { Kind::MateIn(plies) };
        assert_eq!(outcome.score.kind(), expected, "{fen}");
    }
}

#[test]
fn a_stalemated_side_has_no_move_and_a_draw() {
    let game = game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "");
    let outcome = think(&game, Limits::depth(5));
    assert_eq!((outcome.best, outcome.score), (None, Score::ZERO));
}

#[test]
fn the_fifty_move_rule_draws_and_mate_comes_first() {
    // A rook up, but two plies before the limit with no mate in reach: drawn.
    let drawn = game("7k/8/8/8/8/8/R7/K7 w - - 98 120", "");
    assert_eq!(think(&drawn, Limits::depth(6)).score, Score::ZERO);
    // The hundredth ply mates: mate counts.
    let mate = game("7k/R7/8/8/8/8/8/KR6 w - - 99 120", "");
    assert_eq!(think(&mate, Limits::depth(4)).score.kind(), Kind::MateIn(1));
}

#[test]
fn perpetual_check_saves_a_lost_game() {
    // White is far behind; the queen checks for ever.
    let game = game("6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1", "");
    let outcome = think(&game, Limits::depth(12));
    assert_eq!(outcome.score, Score::ZERO);
}

#[test]
fn a_third_repetition_is_avoided_when_winning() {
    let start = "7k/7p/8/8/8/8/1R6/K2Q4 w - - 0 1";
    let repeated = game(start, "b2b3 h8g8 b3b2 g8h8 b2b3 h8g8 b3b2 g8h8");
    let outcome = think(&repeated, Limits::depth(7));
    assert!(outcome.score > Score::centipawns(300), "{:?}", outcome.score);
    assert_ne!(text(&repeated, &outcome), "b2b3");
    assert!(think(&game(start, ""), Limits::depth(9)).score > Score::centipawns(900));
}

#[test]
fn zugzwang_does_not_fool_the_null_move() {
    // Whoever is to move loses the pawn: passing would hold. White to move must not think it wins.
    let mutual = game("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", "");
    let outcome = think(&mutual, Limits { nodes: Some(3_000_000), ..Limits::depth(20) });
    assert_eq!(text(&mutual, &outcome), "e1f1");
}

#[test]
fn only_allowed_moves_are_considered() {
    let start = game(chess::fen::START, "");
    let only = start.position().parse_uci("a2a3").unwrap();
    let mut pool = SearchPool::new(Release, 1, Arc::new(ManualClock::new())).unwrap();
    let outcome = pool.search(&start, &[only], Limits::depth(6), &mut |_: Event<'_, Move>| {});
    assert_eq!(outcome.best, Some(only));
}

#[test]
fn two_workers_find_what_one_finds() {
    let fen = "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1";
    let mut pool = SearchPool::new(Release, 4, Arc::new(ManualClock::new())).unwrap();
    pool.set_threads(2).unwrap();
    let outcome = pool.search(&game(fen, ""), &[], Limits::depth(12), &mut |_: Event<'_, Move>| {});
    assert_eq!(outcome.score.kind(), Kind::MateIn(3));
}

/// An unfinished first iteration says nothing about the moves it has not searched: no loss may be claimed, and the move
/// played is not the first one that was refuted.
#[test]
fn a_search_of_few_nodes_claims_no_loss_in_a_position_that_is_won() {
    for fen in [
        "3B4/8/6B1/4r3/2p5/K1k5/8/3R4 w - - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1",
        "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1",
    ] {
        let game = game(fen, "");
        let mut pool = SearchPool::new(Release, 1, Arc::new(ManualClock::new())).unwrap();
        for nodes in 0..120 {
            pool.clear();
            let mut lost = None;
            let outcome = pool.search(&game, &[], Limits::nodes(nodes), &mut |event: Event<'_, Move>| {
                if let Event::Info(info) = event
                    && info.score.is_loss()
                {
                    lost = Some(info.score);
                }
            });
            assert_eq!(lost, None, "{fen}, {nodes} nodes");
            assert!(!outcome.score.is_loss(), "{fen}, {nodes} nodes: {:?}", outcome.score);
            let best = outcome.best.unwrap();
            let is_mated_at_once = game
                .position()
                .after(best)
                .legal_moves()
                .iter()
                .any(|&reply| game.position().after(best).after(reply).is_checkmate());
            assert!(!is_mated_at_once, "{fen}, {nodes} nodes: {}", text(&game, &outcome));
        }
    }
}

/// Boards full of promotions: quiescence took 2,395,135 nodes for the first ply of the first of them, Stockfish 49.
#[test]
fn a_board_full_of_promotions_does_not_explode() {
    for fen in [
        "3B4/PPPPPPPP/B4Nk1/1qb1nnpb/2pr4/1r6/2pp4/K7 w - - 0 1",
        "B7/1PPPPP1P/5R1n/B2R2r1/b6r/Q1N1KN2/pppppppp/5k2 b - - 0 1",
        "1r6/PPPP1PPP/q1Nr1N2/1Q1nb3/2K1n2k/8/p1ppp1p1/8 b - - 0 1",
        "3qN1K1/PPPPPPPP/8/1r2n3/3b4/1B1N2k1/pppppppp/5r2 w - - 0 1",
        "8/PPPPPPPP/1q4N1/3r4/8/2B3K1/p1pppppp/6k1 w - - 0 1",
        "3bn3/PPPPPPPK/rnB4N/1R6/3q4/4k3/pp1p1pp1/B7 b - - 0 1",
        "8/PPPPPP1P/KR2n1q1/N7/r3nb2/4br1k/p1pppppp/8 b - - 0 1",
        "8/PPP1PPbP/2K4k/6n1/8/3NrBb1/ppBp1ppp/5N1r w - - 0 1",
    ] {
        let mut pool = SearchPool::new(Release, 4, Arc::new(ManualClock::new())).unwrap();
        let limits = Limits { nodes: Some(100_000), ..Limits::depth(1) };
        pool.search(&game(fen, ""), &[], limits, &mut |_: Event<'_, Move>| {});
        let nodes = pool.counters()[Count::Nodes];
        assert!(nodes < 20_000, "{fen}: {nodes} nodes");
    }
}
