//! The rules of Leiserchess, Fall 2018 edition.
//!
//! Two kings that fire lasers and fourteen pawns that are diagonal mirrors. A turn is one move (turn a piece, step
//! it, or swap it past an enemy) followed by one shot of the mover's king; the first opaque thing the beam meets is
//! removed, and a side that loses its king loses the game.
//!
//! Invariants:
//! - A [`Position`] read from text has exactly one king and at most seven pawns a side. A king is missing only after
//!   a shot has zapped it, and then [`Position::winner`] says so and no moves are generated.
//! - A [`Move`] always names squares on the board, whatever bits it was read from.
//! - Nothing here searches, prints, or keeps global state.

mod beam;
mod bitboard;
mod colour;
mod direction;
mod fen;
mod game;
mod mirrors;
mod movegen;
mod moves;
mod notation;
mod perft;
mod piece;
mod position;
mod square;
mod zobrist;

pub use beam::BeamSquares;
pub use bitboard::{Bitboard, Squares};
pub use colour::Colour;
pub use direction::{Compass, Step};
pub use fen::FenError;
pub use game::{DrawReason, DrawRules, Game, PlayError, Status};
pub use mirrors::{Mirrors, Shot};
pub use movegen::{MAX_MOVES, MoveList};
pub use moves::{Basic, Move, MoveKind, Turn};
pub use notation::{MoveTextError, SquareTextError};
pub use perft::{Ko, MAX_PERFT_DEPTH, perft, perft_until};
pub use piece::{Kind, Orientation, Piece};
pub use position::{Position, Zapped};
pub use square::Square;

/// The start position of the 2018 edition.
pub const START_FEN: &str = "ss7/3nwse3/2nwse4/1nwse3NW1/1se3NWSE1/4NWSE2/3NWSE3/7NN W";

/// Two bare kings: the course's training position, which its protocol calls `endgame`.
pub const ENDGAME_FEN: &str = "ss7/8/8/8/8/8/8/7NN W";
