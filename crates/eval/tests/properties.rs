//! What must hold for every position: colours are equal, memory changes nothing, the parts make the whole.

#![allow(clippy::unwrap_used, clippy::panic)]

use chess::{Bitboard, Color, PieceKind, Position};
use eval::hce::Evaluator;
use eval::hce::conclude::{DANGER_LINEAR, DANGER_MOST, DANGER_SQUARED, SCALE_LEAST, SCALE_MOST, SCALE_ONE};
use eval::hce::{Breakdown, Coefficients, MAX_EVALUATION, Use, Weights, phase};
use eval::{EvalTerms, Term};

/// Positions from random games, openings to bare endings.
fn positions() -> Vec<Position> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut positions = Vec::new();
    for _ in 0..60 {
        let mut position = Position::default();
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random() as usize % moves.len()]);
            positions.push(position.clone());
        }
    }
    positions
}

/// The board turned round and the colours swapped, by way of the FEN so that the rules have no part in it.
fn mirrored(position: &Position) -> Position {
    let fen = position.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
            .collect()
    };
    let placement = fields[0].split('/').rev().map(swap).collect::<Vec<_>>().join("/");
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let mut castling: Vec<char> = swap(fields[2]).chars().collect();
    castling.sort_unstable();
    let castling: String = castling.into_iter().collect();
    let en_passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    let text = format!("{placement} {turn} {castling} {en_passant} {} {}", fields[4], fields[5]);
    Position::from_fen_lenient(&text).map_or_else(|error| panic!("{text}: {error}"), |(position, _)| position)
}

#[test]
fn colours_are_equal() {
    let mut evaluator = Evaluator::default();
    for position in positions() {
        let there = evaluator.evaluate(&position);
        let back = evaluator.evaluate(&mirrored(&position));
        assert_eq!(there, back, "{position:?}");
    }
}

#[test]
fn memory_changes_nothing() {
    let mut warm = Evaluator::default();
    for position in positions() {
        let first = warm.evaluate(&position);
        assert_eq!(first, warm.evaluate(&position), "{position:?}");
        let mut cold = Evaluator::default();
        assert_eq!(first, cold.evaluate(&position), "{position:?}");
    }
}

#[test]
fn the_terms_make_the_whole() {
    let mut evaluator = Evaluator::default();
    for position in positions() {
        let white = Breakdown::new(&position, &Weights::FITTED).white();
        let expected = if position.turn() == Color::White { white } else { -white };
        let expected = expected.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        assert_eq!(evaluator.evaluate(&position), expected, "{position:?}");
    }
}

#[test]
fn every_switch_matters() {
    let positions = positions();
    for term in Term::ALL {
        let mut without = Evaluator::with_terms(Weights::FITTED, EvalTerms::ALL.without(term));
        let mut with = Evaluator::default();
        assert!(
            positions.iter().any(|position| without.evaluate(position) != with.evaluate(position)),
            "{}",
            term.name()
        );
    }
}

#[test]
fn material_alone_sees_material_alone() {
    let mut evaluator = Evaluator::with_terms(Weights::FITTED, EvalTerms::MATERIAL);
    for position in positions() {
        let counts = |color| PieceKind::ALL.map(|kind| position.board().pieces(color, kind).count());
        let pair = |color| {
            let bishops = position.board().pieces(color, PieceKind::Bishop);
            (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & !Bitboard::LIGHT_SQUARES).any()
        };
        if counts(Color::White) == counts(Color::Black) && pair(Color::White) == pair(Color::Black) {
            assert_eq!(evaluator.evaluate(&position), 0, "{position:?}");
        }
    }
}

/// The halves of a sum of uses.
fn halves(weights: &Weights, uses: &[Use]) -> (i32, i32) {
    uses.iter().fold((0, 0), |(mg, eg), one| {
        let weight = weights.table()[usize::from(one.place)];
        let times = i32::from(one.times);
        (mg + weight.middlegame() * times, eg + weight.endgame() * times)
    })
}

#[test]
fn coefficients_times_weights_are_the_evaluation() {
    let weights = Weights::FITTED;
    for position in positions() {
        let Some(uses) = Coefficients::new(&position) else { continue };
        let (mut mg, mut eg) = halves(&weights, &uses.linear);
        for (sign, danger) in [-1, 1].into_iter().zip(&uses.danger) {
            let (mg_danger, eg_danger) = halves(&weights, danger);
            mg += sign * mg_danger.clamp(0, DANGER_MOST).pow(2) / DANGER_SQUARED;
            eg += sign * eg_danger.clamp(0, DANGER_MOST) / DANGER_LINEAR;
        }
        let (_, winnable) = halves(&weights, &uses.winnable);
        let scale = weights.table()[usize::from(uses.scale[usize::from(eg < 0)])].endgame();
        eg = eg * (scale + winnable).clamp(SCALE_LEAST, SCALE_MOST) / SCALE_ONE;
        let mixed = (mg * uses.phase + eg * (phase::FULL - uses.phase)) / phase::FULL;
        assert_eq!(mixed, Breakdown::new(&position, &weights).white(), "{position:?}");
    }
}

#[test]
fn more_is_better() {
    let mut evaluator = Evaluator::default();
    let mut white = |fen: &str| {
        let position = Position::from_fen(fen).unwrap();
        let score = evaluator.evaluate(&position);
        if position.turn() == Color::White { score } else { -score }
    };
    for (better, worse) in [
        // A queen, a rook, a knight, a pawn more.
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
        ),
        ("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"),
        ("4k3/pppp4/8/8/8/8/PPPP4/1N2K3 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"),
        ("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", "4k3/pppp4/8/8/8/8/PPP5/4K3 w - - 0 1"),
        // A passed pawn further on.
        ("6k1/8/P7/8/8/8/8/6K1 w - - 0 1", "6k1/8/8/8/P7/8/8/6K1 w - - 0 1"),
        // The enemy's turn is worth less than ours.
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        ),
    ] {
        assert!(white(better) > white(worse), "{better} against {worse}");
    }
}
