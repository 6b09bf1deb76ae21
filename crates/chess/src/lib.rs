//! The rules of chess at speed: positions, moves, notations.
//!
//! A [`Position`] is always legal. It is made by a reader that validates ([`Position::from_fen`]) or by playing
//! legal moves; its generator hands out legal moves only. Standard chess, Chess960 and double Fischer random share
//! one representation: castling is "king takes own rook" and rights are the rooks that still have them.
//!
//! ```
//! use chess::Position;
//! let start = Position::default();
//! assert_eq!(start.legal_moves().len(), 20);
//! assert_eq!(chess::perft(&start, 3), 8902);
//! ```

pub mod attacks;
pub mod board;
mod chess960;
#[cfg(feature = "zstd")]
pub mod compressed;
mod draws;
pub mod epd;
pub mod fen;
pub mod game;
pub mod geometry;
mod lines;
pub mod movegen;
mod perft;
pub mod pgn;
pub mod polyglot;
mod position;
mod repetition;
pub mod san;
mod see;
mod types;
pub mod uci;
pub mod zobrist;

pub use board::Board;
pub use game::{Game, Outcome};
pub use perft::{PerftTable, divide, perft, perft_hashed, perft_parallel};
pub use position::Position;
pub use see::SEE_VALUES;
pub use types::{Bitboard, Color, File, Move, MoveKind, MoveList, Piece, PieceKind, Rank, Square};
pub use zobrist::Keys;
