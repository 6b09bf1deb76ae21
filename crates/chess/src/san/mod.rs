//! Standard Algebraic Notation, in and out.
//!
//! [`Position::san`] writes the shortest form that names one legal move, with `+` or `#`. [`Position::parse_san`]
//! reads that and what people write: missing or superfluous check marks, captures without `x`, long forms such as
//! `Ng1-f3`, zeros for castling, `!?` behind. Neither builds the list of legal moves: the pieces that could have
//! moved are found by looking back from the destination.

mod error;
mod read;
mod write;

pub use error::SanError;
pub use write::San;

use crate::position::Position;
use crate::types::{Bitboard, Color, Move};

impl Position {
    /// Reads a legal move.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        read::legal_move(self, text.as_bytes())
    }

    /// As [`Position::parse_san`], from bytes that need not be UTF-8.
    pub fn parse_san_bytes(&self, text: &[u8]) -> Result<Move, SanError> {
        read::legal_move(self, text)
    }

    /// Writes a legal move.
    pub fn san(&self, mv: Move) -> San {
        write::san(self, mv)
    }
}

/// One step ahead for every pawn of a set.
fn forward(color: Color, pawns: Bitboard) -> Bitboard {
    match color {
        Color::White => pawns.north(),
        Color::Black => pawns.south(),
    }
}

#[cfg(test)]
mod tests;
