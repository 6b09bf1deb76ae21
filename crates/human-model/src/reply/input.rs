//! The input encoding of the network. `trainer/human/data.py` computes the same; the fixture test keeps the two equal.
//!
//! Everything is seen by the player to move: for Black the board is flipped top to bottom, so own pawns always climb.

use super::circumstances::{Circumstances, Rating, Scale};
use super::situation::{HISTORY, Situation};
use chess::board::Castling;
use chess::{Color, Move, PieceKind, Square};

/// Own pieces (6), theirs (6), en passant (1), castling rooks (2), from and to of the last moves (16), one empty.
pub const PLANES: usize = 15 + 2 * HISTORY + 1;
pub const CONDITIONS: usize = 74;

const EN_PASSANT: usize = 12;
const CASTLING: usize = 13;
const PAST: usize = 15;

/// Knots of the piecewise linear encoding of a number (hat functions).
const RATINGS: [f32; 13] =
    [600.0, 800.0, 1000.0, 1200.0, 1400.0, 1600.0, 1800.0, 2000.0, 2200.0, 2400.0, 2600.0, 2800.0, 3000.0];
const BASES: [f32; 8] = [30.0, 60.0, 120.0, 180.0, 300.0, 600.0, 1800.0, 7200.0];
const INCREMENTS: [f32; 5] = [0.0, 2.0, 5.0, 10.0, 30.0];
const CLOCKS: [f32; 10] = [1.0, 3.0, 7.0, 15.0, 30.0, 60.0, 120.0, 300.0, 900.0, 3600.0];
const PLIES: [f32; 8] = [0.0, 10.0, 20.0, 30.0, 40.0, 60.0, 80.0, 120.0];

pub struct Input {
    /// 64 squares of `PLANES` numbers.
    pub planes: Vec<f32>,
    pub conditions: Vec<f32>,
}

impl Input {
    pub fn new(situation: &Situation<'_>, circumstances: &Circumstances) -> Input {
        Input { planes: planes(situation), conditions: conditions(situation, circumstances) }
    }
}

/// Where a move's score lies: from x 64 + to, then 3 x 8 x 8 under-promotions (piece, from file, to file).
pub fn policy_index(mv: Move, turn: Color) -> usize {
    let (from, to) = endpoints(mv);
    let (from, to) = (from.relative_to(turn).index(), to.relative_to(turn).index());
    match mv.promotes_to() {
        Some(kind @ (PieceKind::Knight | PieceKind::Bishop | PieceKind::Rook)) => {
            4096 + (kind.index() - PieceKind::Knight.index()) * 64 + (from % 8) * 8 + to % 8
        }
        _ => from * 64 + to,
    }
}

/// Castling by the king's two steps, as people see it.
fn endpoints(mv: Move) -> (Square, Square) {
    let to = if mv.is_castling() { Castling::of(mv.from(), mv.to()).king_to } else { mv.to() };
    (mv.from(), to)
}

fn planes(situation: &Situation<'_>) -> Vec<f32> {
    let mut planes = vec![0.0; 64 * PLANES];
    let board = situation.position().board();
    let turn = board.turn();
    let mut mark =
        |square: Square, plane: usize| planes[square.relative_to(turn).index() * PLANES + plane] = 1.0;
    for square in Square::all() {
        if let Some(piece) = board.piece_on(square) {
            mark(square, piece.kind().index() + if piece.color() == turn { 0 } else { 6 });
        }
    }
    if let Some(square) = board.en_passant() {
        mark(square, EN_PASSANT);
    }
    for rook in board.castling_rooks() {
        mark(rook, CASTLING + usize::from(!board.color(turn).has(rook)));
    }
    for (back, mv) in situation.backwards().enumerate() {
        let (from, to) = endpoints(mv);
        mark(from, PAST + 2 * back);
        mark(to, PAST + 2 * back + 1);
    }
    planes
}

fn conditions(situation: &Situation<'_>, circumstances: &Circumstances) -> Vec<f32> {
    let mut out = Vec::with_capacity(CONDITIONS);
    let points = |rating: Rating| f32::from(rating.points());
    bumps(&mut out, &RATINGS, |knot| knot, Some(points(circumstances.rating)));
    bumps(&mut out, &RATINGS, |knot| knot, circumstances.opponent.map(points));
    for scale in [Scale::Lichess, Scale::Fics, Scale::Fide, Scale::Mixed] {
        out.push(f32::from(scale == circumstances.scale));
    }
    let control = circumstances.time_control;
    bumps(&mut out, &BASES, f32::log2, control.map(|control| control.base_seconds.max(1.0).log2()));
    bumps(&mut out, &INCREMENTS, |knot| knot, control.map(|control| control.increment_seconds));
    let clocks = circumstances.clocks;
    bumps(&mut out, &CLOCKS, f32::log2, clocks.map(|clocks| clocks.own_seconds.max(0.5).log2()));
    bumps(&mut out, &CLOCKS, f32::log2, clocks.map(|clocks| clocks.opponent_seconds.max(0.5).log2()));
    out.push(f32::from(situation.repetitions() >= 1));
    out.push(f32::from(situation.repetitions() >= 2));
    out.push(f32::from(situation.position().halfmove_clock().min(100)) / 50.0);
    bumps(&mut out, &PLIES, |knot| knot, Some(situation.position().ply() as f32));
    out
}

/// Linear interpolation weights of the two knots around `value`; all zero for an unknown value.
fn bumps(out: &mut Vec<f32>, knots: &[f32], measure: impl Fn(f32) -> f32, value: Option<f32>) {
    let (Some(value), [first, .., last]) = (value, knots) else {
        out.extend(knots.iter().map(|_| 0.0));
        return;
    };
    let value = value.max(measure(*first)).min(measure(*last));
    for (number, knot) in knots.iter().enumerate() {
        let here = measure(*knot);
        let rising = match number.checked_sub(1) {
            Some(left) => (value - measure(knots[left])) / (here - measure(knots[left])),
            None => 1.0,
        };
        let falling = match knots.get(number + 1) {
            Some(right) => (measure(*right) - value) / (measure(*right) - here),
            None => 1.0,
        };
        out.push(rising.min(falling).clamp(0.0, 1.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn bumped(knots: &[f32], value: Option<f32>) -> Vec<f32> {
        let mut out = Vec::new();
        bumps(&mut out, knots, |knot| knot, value);
        out
    }

    #[test]
    fn a_number_is_shared_between_its_neighbours() {
        let knots = [0.0, 10.0, 20.0];
        for (value, expected) in [
            (Some(-3.0), [1.0, 0.0, 0.0]),
            (Some(2.5), [0.75, 0.25, 0.0]),
            (Some(10.0), [0.0, 1.0, 0.0]),
            (Some(99.0), [0.0, 0.0, 1.0]),
            (None, [0.0, 0.0, 0.0]),
        ] {
            assert_eq!(bumped(&knots, value), expected, "{value:?}");
        }
    }

    #[test]
    fn conditions_have_the_promised_width() {
        let position = Position::default();
        let circumstances = Circumstances::new(Rating::new(1500).unwrap(), Scale::Fide);
        assert_eq!(conditions(&Situation::bare(&position), &circumstances).len(), CONDITIONS);
    }

    #[test]
    fn both_colours_see_the_same_board_and_the_same_moves() {
        let white = Position::from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1").unwrap();
        let black = Position::from_fen("r3k2r/8/8/8/3Pp3/8/8/R3K2R b KQkq d3 0 1").unwrap();
        assert_eq!(planes(&Situation::bare(&white)), planes(&Situation::bare(&black)));
        let indices = |position: &Position| {
            let mut all: Vec<usize> =
                position.legal_moves().iter().map(|mv| policy_index(*mv, position.turn())).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(indices(&white), indices(&black));
    }

    #[test]
    fn every_legal_move_has_an_index_of_its_own() {
        let position = Position::from_fen("2r1k3/1P6/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        let moves = position.legal_moves();
        let mut all: Vec<usize> = moves.iter().map(|mv| policy_index(*mv, Color::White)).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), moves.len());
        assert!(all.iter().all(|index| *index < 4096 + 3 * 64));
    }
}
