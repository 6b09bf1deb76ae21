//! The small vocabulary every other module speaks: squares, sets of squares, pieces, moves.

mod bitboard;
mod moves;
mod piece;
mod square;

pub use bitboard::Bitboard;
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Color, Piece, PieceKind};
pub use square::{File, Rank, Square};
