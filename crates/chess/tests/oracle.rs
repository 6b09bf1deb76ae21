//! Our rules against shakmaty's, on random positions of standard chess, Chess960 and double Fischer random.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod support;

use chess::{Color, Keys, Move, MoveList, Position, perft};
use shakmaty::san::{San, SanPlus};
use shakmaty::{Chess, Position as _};
use support::{Pair, Random, code, their_code};

/// Half standard chess, half Chess960 and its doubles.
fn positions(seed: u64, count: usize) -> impl Iterator<Item = Pair> {
    let mut rng = Random::new(seed);
    (0..count).map(move |i| Pair::random(&mut rng, i % 2 == 1))
}

fn sorted(moves: &MoveList) -> Vec<usize> {
    let mut codes: Vec<usize> = moves.iter().map(|mv| code(*mv)).collect();
    codes.sort_unstable();
    codes
}

fn same_perft(seed: u64, count: usize, depth: u32) -> u64 {
    let mut leaves = 0;
    for pair in positions(seed, count) {
        let ours = perft(&pair.ours, depth);
        assert_eq!(ours, shakmaty::perft(&pair.theirs, depth), "{:?}", pair.ours);
        leaves += ours;
    }
    leaves
}

#[test]
fn perft_3_of_2000_positions() {
    let leaves = same_perft(1, 2000, 3);
    eprintln!("2000 positions, {leaves} leaves");
}

#[test]
#[ignore = "minutes: cargo test --release -p chess --test oracle -- --ignored --nocapture"]
fn perft_4_of_2000_positions() {
    let leaves = same_perft(2, 2000, 4);
    eprintln!("2000 positions at depth 4, {leaves} leaves");
}

#[test]
fn the_same_moves_each_once() {
    for pair in positions(3, 1000) {
        let mut theirs: Vec<usize> = pair.theirs.legal_moves().iter().map(|m| their_code(*m)).collect();
        theirs.sort_unstable();
        assert_eq!(sorted(&pair.ours.legal_moves()), theirs, "{:?}", pair.ours);
    }
}

#[test]
fn noisy_and_quiet_are_every_move() {
    for Pair { ours, .. } in positions(4, 1000) {
        let (noisy, quiet) = (ours.noisy_moves(), ours.quiet_moves());
        assert!(noisy.iter().all(|mv| ours.is_noisy(*mv)), "{ours:?}");
        assert!(!quiet.iter().any(|mv| ours.is_noisy(*mv)), "{ours:?}");
        let mut both = noisy.clone();
        quiet.iter().for_each(|mv| both.push(*mv));
        assert_eq!(sorted(&both), sorted(&ours.legal_moves()), "{ours:?}");
    }
}

#[test]
fn fen_both_ways() {
    for pair in positions(5, 2000) {
        let fen = pair.ours.to_fen();
        assert_eq!(fen, pair.their_fen());
        assert_eq!(Position::from_fen(&fen).unwrap().to_fen(), fen);
        let shredder = Position::from_fen(&pair.ours.to_shredder_fen()).unwrap();
        assert!(shredder.board() == pair.ours.board(), "{fen}");
        assert_eq!(shredder.keys(), pair.ours.keys(), "{fen}");
    }
}

#[test]
fn san_both_ways() {
    for pair in positions(6, 500) {
        for &mv in &pair.ours.legal_moves() {
            let theirs = pair.translate(mv);
            let text = pair.ours.san(mv).to_string();
            assert_eq!(text, SanPlus::from_move(pair.theirs.clone(), theirs).to_string(), "{:?}", pair.ours);
            assert_eq!(pair.ours.parse_san(&text), Ok(mv), "{text} in {:?}", pair.ours);
            let read: San = text.trim_end_matches(['+', '#']).parse().unwrap();
            assert_eq!(read.to_move(&pair.theirs).unwrap(), theirs, "{text} in {:?}", pair.ours);
        }
    }
}

/// Every shape of move to every square: what we read, shakmaty reads the same, and what we refuse it refuses.
#[test]
fn san_of_moves_that_may_not_exist() {
    let mut rng = Random::new(7);
    for pair in positions(8, 200) {
        for _ in 0..200 {
            let letter = |set: &[u8], rng: &mut Random| {
                set.get(rng.below(set.len() * 2)).map_or(String::new(), |c| (*c as char).to_string())
            };
            let to = rng.below(64) as u8;
            let text = format!(
                "{}{}{}{}{}{}{}",
                letter(b"NBRQK", &mut rng),
                letter(b"abcdefgh", &mut rng),
                letter(b"12345678", &mut rng),
                letter(b"x", &mut rng),
                (b'a' + to % 8) as char,
                to / 8 + 1,
                if rng.below(8) == 0 { "=Q" } else { "" },
            );
            let theirs = text.parse::<San>().ok().and_then(|san| san.to_move(&pair.theirs).ok());
            let ours = pair.ours.parse_san(&text);
            // Shakmaty insists on a truthful `x`; we do not. So it may refuse what we read, never the reverse.
            if let Some(theirs) = theirs {
                assert_eq!(ours.map(code), Ok(their_code(theirs)), "{text} in {:?}", pair.ours);
            } else if let Ok(mv) = ours {
                assert!(pair.ours.is_legal(mv), "{text} in {:?}", pair.ours);
            }
        }
    }
}

#[test]
fn uci_both_ways() {
    for pair in positions(9, 500) {
        for &mv in &pair.ours.legal_moves() {
            for chess960 in [true, false] {
                // A king's castling steps can be a plain move too in Chess960: then only king takes rook names it.
                let text = pair.ours.uci(mv, chess960).to_string();
                if chess960 || !mv.is_castling() {
                    assert_eq!(pair.ours.parse_uci(&text), Ok(mv), "{:?}", pair.ours);
                }
            }
        }
    }
}

/// All 65,536 words a table could hold, by the single-move judge and by the generator.
#[test]
fn legality_of_every_word() {
    for Pair { ours, .. } in positions(10, 200) {
        let legal = ours.legal_moves();
        let judged: Vec<Move> =
            (0..=u16::MAX).filter_map(Move::from_bits).filter(|mv| ours.is_legal(*mv)).collect();
        assert_eq!(judged.len(), legal.len(), "{ours:?}: {judged:?} but {legal:?}");
        assert!(legal.iter().all(|mv| judged.contains(mv)), "{ours:?}");
        assert!(legal.iter().all(|mv| ours.is_pseudo_legal(*mv)), "{ours:?}");
    }
}

#[test]
fn checks_mates_and_stalemates() {
    for pair in positions(11, 1000) {
        for &mv in &pair.ours.legal_moves() {
            let after = pair.ours.after(mv);
            let mut theirs = pair.theirs.clone();
            theirs.play_unchecked(pair.translate(mv));
            assert_eq!(pair.ours.gives_check(mv), theirs.is_check(), "{mv:?} in {:?}", pair.ours);
            assert_eq!(after.in_check(), theirs.is_check(), "{mv:?} in {:?}", pair.ours);
            assert_eq!(after.is_checkmate(), theirs.is_checkmate(), "{mv:?} in {:?}", pair.ours);
            assert_eq!(after.is_stalemate(), theirs.is_stalemate(), "{mv:?} in {:?}", pair.ours);
        }
    }
}

/// Bare kings and up to four minor pieces, where the question is close.
#[test]
fn insufficient_material() {
    let mut rng = Random::new(12);
    let (mut dead, mut judged) = (0, 0);
    while judged < 5000 {
        let mut board = ['1'; 64];
        for _ in 0..rng.below(5) {
            board[rng.below(64)] = ['N', 'B', 'n', 'b', 'B', 'b', 'N', 'p'][rng.below(8)];
        }
        board[rng.below(64)] = 'K';
        board[rng.below(64)] = 'k';
        // Digits side by side are for people to frown at: fold them before reading.
        let ranks: Vec<String> = board.chunks(8).map(fold).collect();
        let Ok(ours) = Position::from_fen(&format!("{} w - - 0 1", ranks.join("/"))) else { continue };
        let theirs: Chess = Pair::of(ours.clone()).theirs;
        assert_eq!(ours.is_insufficient_material(), theirs.is_insufficient_material(), "{ours:?}");
        dead += usize::from(ours.is_insufficient_material());
        judged += 1;
    }
    assert!(dead > 500 && dead < 4500, "{dead} dead positions of {judged}: the sample is lopsided");
}

fn fold(rank: &[char]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for &letter in rank {
        if letter == '1' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        empty = 0;
        text.push(letter);
    }
    if empty > 0 { text + &empty.to_string() } else { text }
}

#[test]
fn incremental_keys_equal_fresh_keys_along_lines() {
    let mut rng = Random::new(13);
    let mut plies = 0;
    for game in 0..300 {
        let mut position = if game % 2 == 0 {
            Position::default()
        } else {
            Position::double_fischer(rng.below(960) as u16, rng.below(960) as u16).unwrap()
        };
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let us = position.turn();
            position.play(moves[rng.below(moves.len())]);
            assert_eq!(position.keys(), &Keys::of(position.board()), "{position:?}");
            assert_eq!(position.turn(), !us);
            plies += 1;
        }
    }
    assert!(plies > 30_000, "{plies}");
}

/// Turn, clocks and move number walk along with shakmaty's.
#[test]
fn clocks() {
    for pair in positions(14, 1000) {
        assert_eq!(u32::from(pair.ours.halfmove_clock()), pair.theirs.halfmoves());
        assert_eq!(u32::from(pair.ours.fullmove_number()), pair.theirs.fullmoves().get());
        assert_eq!(pair.ours.turn() == Color::White, pair.theirs.turn().is_white());
    }
}
