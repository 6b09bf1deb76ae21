//! Real games on their way to the trainer: read from lines, packed to a byte a move, expanded to flat arrays.
//!
//! Packing travels light (20 million moves in 32 MB); expanding needs the rules and wants many cores. What each file
//! holds is told where it is written; `trainer/human/data.py` reads them.

mod expand;
mod pack;
mod record;

pub use expand::{Expanded, expand};
pub use pack::{PackedGame, Packer, Tally, unpack};
pub use record::{GameRecord, PlayerId, RecordError, Source};

use crate::reply::policy_index;
use chess::{Move, Position};

/// The legal moves in the order of their policy indices: an order that no generator decides.
pub fn ordered_moves(position: &Position) -> Vec<Move> {
    let turn = position.turn();
    let mut moves = position.legal_moves().as_slice().to_vec();
    moves.sort_by_key(|mv| policy_index(*mv, turn));
    moves
}
