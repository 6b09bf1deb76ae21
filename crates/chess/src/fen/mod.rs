//! Forsyth-Edwards Notation, with X-FEN and Shredder-FEN castling.
//!
//! [`Position::from_fen`] is strict: six fields, every one of them right, or an error that says what is wrong and
//! where. [`Position::from_fen_lenient`] forgives what can be mended without guessing at the pieces, and says what
//! it mended. Neither lets an illegal position through.

mod error;
mod read;
mod repair;
mod validate;
mod write;

pub use error::FenError;
pub use repair::Repair;

use crate::position::Position;

/// The initial position of standard chess.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Longer input cannot be a position; it is refused unread.
pub const MAX_LENGTH: usize = 256;

impl Position {
    /// Reads six fields strictly.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        read::position(fen)
    }

    /// Reads what people and programs really write, and lists what had to be mended.
    pub fn from_fen_lenient(fen: &str) -> Result<(Position, Vec<Repair>), FenError> {
        repair::position(fen)
    }

    /// FEN with `KQkq` where it is unambiguous and rook files elsewhere (X-FEN).
    pub fn to_fen(&self) -> String {
        write::fen(self, write::CastlingStyle::XFen)
    }

    /// FEN with rook files for castling rights, `HAha` at the start.
    pub fn to_shredder_fen(&self) -> String {
        write::fen(self, write::CastlingStyle::Shredder)
    }

    /// The first four fields, as EPD begins.
    pub fn to_epd(&self) -> String {
        write::four_fields(self, write::CastlingStyle::XFen)
    }
}

/// The initial position.
impl Default for Position {
    fn default() -> Position {
        match read::position(START) {
            Ok(position) => position,
            Err(_) => unreachable!("a test reads START"),
        }
    }
}

#[cfg(test)]
mod tests;
