//! One position as the trainer reads it: 32 bytes, seen from the side to move.
//!
//! The layout is that of bulletformat's `ChessBoard`, so its tools read our files; the two spare bytes hold
//! the lambda-return of a position of a game ([`GameLabel`]).
//!
//! | bytes | |
//! |---|---|
//! | 8 | occupied squares; when Black is to move the board is turned upside down first |
//! | 16 | the pieces on them in that order, four bits each: 0 pawn to 5 king, +8 for the side not to move |
//! | 2 | score in centipawns |
//! | 1 | result: 0 lost, 1 drawn, 2 won |
//! | 1 | square of the mover's king |
//! | 1 | square of the other king, the board turned its way |
//! | 2 | lambda-return: expected points times 65,535 |
//! | 1 | 0: the score is the search's; 1: it is at most so much; 2: at least; 4 more where there is no game, and so no result and no lambda-return |

use chess::{Bitboard, Color, PieceKind, Position};
use kernel::Bound;

pub const SAMPLE_BYTES: usize = 32;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Label {
    pub score: i16,
    /// On which side of the truth the score lies.
    pub bound: Bound,
    /// Of a position of a game.
    pub game: Option<GameLabel>,
}

/// What the rest of a game says about a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameLabel {
    /// 0, 1 or 2 half points.
    pub half_points: u8,
    /// Expected points, 0 to 1 ([`crate::lambda_return`]).
    pub lambda_return: f32,
}

impl Label {
    /// A score without a game around it.
    pub const fn of_score(score: i16) -> Label {
        Label { score, bound: Bound::Exact, game: None }
    }
}

/// Marks a sample without a game in its last byte.
const NO_GAME: u8 = 4;

/// The bytes of a labelled position.
pub fn sample(position: &Position, label: Label) -> [u8; SAMPLE_BYTES] {
    let board = position.board();
    let us = position.turn();
    let turned = |set: Bitboard| if us == Color::White { set } else { set.flip_ranks() };
    let occupied = turned(board.occupied());
    let mut bytes = [0; SAMPLE_BYTES];
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    for (i, square) in occupied.into_iter().enumerate().take(32) {
        let Some(piece) = position.piece_on(square.relative_to(us)) else { continue };
        let code = piece.kind() as u8 | u8::from(piece.color() != us) << 3;
        bytes[8 + i / 2] |= code << (4 * (i % 2));
    }
    bytes[24..26].copy_from_slice(&label.score.to_le_bytes());
    // A reader that knows nothing of the mark sees a draw.
    let game = label.game.unwrap_or(GameLabel { half_points: 1, lambda_return: 0.5 });
    bytes[26] = game.half_points;
    bytes[27] = board.pieces(us, PieceKind::King).lowest().relative_to(us).index() as u8;
    bytes[28] = board.pieces(!us, PieceKind::King).lowest().relative_to(!us).index() as u8;
    let lambda_return = (game.lambda_return.clamp(0.0, 1.0) * 65_535.0).round() as u16;
    bytes[29..31].copy_from_slice(&lambda_return.to_le_bytes());
    bytes[31] = match label.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact | Bound::None => 0,
    };
    if label.game.is_none() {
        bytes[31] |= NO_GAME;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_turned_round_give_the_same_bytes() {
        let game = Some(GameLabel { half_points: 2, lambda_return: 0.25 });
        let label = Label { game, ..Label::of_score(-37) };
        let white = Position::from_fen("r3k3/1p6/8/8/3N4/8/P4P2/6K1 w - - 0 1").unwrap();
        let black = Position::from_fen("6k1/p4p2/8/3n4/8/8/1P6/R3K3 b - - 0 1").unwrap();
        assert_eq!(sample(&white, label), sample(&black, label));
    }

    #[test]
    fn the_bytes_are_where_the_table_says() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").unwrap();
        let game = Some(GameLabel { half_points: 0, lambda_return: 1.0 });
        let label = Label { bound: Bound::Lower, game, ..Label::of_score(-100) };
        let bytes = sample(&position, label);
        // Turned: the mover's king on e1, the enemy pawn on e7 and king on e8.
        let occupied = 1_u64 << 4 | 1 << 52 | 1 << 60;
        assert_eq!(bytes[..8], occupied.to_le_bytes());
        assert_eq!(bytes[8..11], [5 | 8 << 4, 5 | 8, 0]);
        assert_eq!(bytes[24..], [156, 255, 0, 4, 4, 255, 255, 2]);
        let alone = sample(&position, Label { game: None, ..label });
        assert_eq!(alone[24..], [156, 255, 1, 4, 4, 0, 128, 2 | NO_GAME]);
    }
}
