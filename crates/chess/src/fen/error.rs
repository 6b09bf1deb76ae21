//! What can be wrong with a FEN, said so that a person can mend it.

use crate::types::{Bitboard, Color, Square};
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    TooLong { length: usize },
    FieldCount { found: usize },
    RankCount { found: usize },
    RankLength { rank: u8, squares: usize },
    AdjacentDigits { rank: u8 },
    UnknownPiece { rank: u8, letter: char },
    Turn { found: String },
    Castling { found: String, reason: CastlingFault },
    EnPassant { found: String, reason: EnPassantFault },
    HalfmoveClock { found: String },
    FullmoveNumber { found: String },
    KingCount { color: Color, count: u32 },
    PawnOnBackRank { squares: Bitboard },
    TooManyPieces { color: Color, reason: &'static str },
    OpponentInCheck { king: Square, color: Color, checker: Square },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CastlingFault {
    UnknownLetter(char),
    Repeated(char),
    KingNotOnBackRank(Color),
    NoRook { letter: char, color: Color },
    WrongSide { letter: char },
    Order,
    TooMany(Color),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnPassantFault {
    NotASquare,
    WrongRank,
    NoPawn,
    Occupied,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::TooLong { length } => {
                write!(f, "FEN: {length} characters, expected at most {}", super::MAX_LENGTH)
            }
            FenError::FieldCount { found } => write!(
                f,
                "FEN: {found} fields, expected 6 (pieces, turn, castling, en passant, halfmove clock, move number)"
            ),
            FenError::RankCount { found } => write!(f, "pieces field: {found} ranks, expected 8"),
            FenError::RankLength { rank, squares } => {
                write!(f, "pieces field, rank {rank}: {squares} squares, expected 8")
            }
            FenError::AdjacentDigits { rank } => {
                write!(
                    f,
                    "pieces field, rank {rank}: two digits side by side, expected one number of empty squares"
                )
            }
            FenError::UnknownPiece { rank, letter } => {
                write!(
                    f,
                    "pieces field, rank {rank}: unknown letter '{letter}', expected one of pnbrqkPNBRQK1-8"
                )
            }
            FenError::Turn { found } => write!(f, "turn field: '{found}', expected 'w' or 'b'"),
            FenError::Castling { found, reason } => write!(f, "castling field: '{found}': {reason}"),
            FenError::EnPassant { found, reason } => write!(f, "en passant field: '{found}': {reason}"),
            FenError::HalfmoveClock { found } => {
                write!(f, "halfmove clock: '{found}', expected a number from 0 to 9999")
            }
            FenError::FullmoveNumber { found } => {
                write!(f, "move number: '{found}', expected a number from 1 to 9999")
            }
            FenError::KingCount { color, count } => {
                write!(f, "pieces field: {color} has {count} kings, expected exactly 1")
            }
            FenError::PawnOnBackRank { squares } => {
                write!(f, "pieces field: a pawn on {}: pawns stand on ranks 2 to 7", List(*squares))
            }
            FenError::TooManyPieces { color, reason } => write!(f, "pieces field: {color} has {reason}"),
            FenError::OpponentInCheck { king, color, checker } => write!(
                f,
                "turn field: {color} is not to move, but its king on {king} is in check from {checker}"
            ),
        }
    }
}

struct List(Bitboard);

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, square) in self.0.into_iter().enumerate() {
            write!(f, "{}{square}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl fmt::Display for CastlingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CastlingFault::UnknownLetter(letter) => {
                write!(f, "unknown letter '{letter}', expected '-', KQkq or rook files A-H, a-h")
            }
            CastlingFault::Repeated(letter) => write!(f, "'{letter}' names a right that is already given"),
            CastlingFault::KingNotOnBackRank(color) => {
                write!(f, "{color}'s king is not on its back rank, so it cannot castle")
            }
            CastlingFault::NoRook { letter, color } => {
                write!(f, "'{letter}' needs a rook of {color} there on its back rank")
            }
            CastlingFault::WrongSide { letter } => write!(f, "'{letter}' names the king's own file"),
            CastlingFault::Order => f.write_str("'-' stands alone or not at all"),
            CastlingFault::TooMany(color) => write!(f, "{color} has two rights on one side of its king"),
        }
    }
}

impl fmt::Display for EnPassantFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EnPassantFault::NotASquare => "expected '-' or a square",
            EnPassantFault::WrongRank => "expected rank 6 with White to move, rank 3 with Black",
            EnPassantFault::NoPawn => "no pawn that could have just made a double step past it",
            EnPassantFault::Occupied => "the pawn's path is not empty",
        })
    }
}

impl std::error::Error for FenError {}
