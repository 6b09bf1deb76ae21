//! The order in which packed games number the legal moves.

use crate::reply::policy_index;
use chess::{Move, Position};

/// The legal moves in the order of their policy indices: an order that no generator decides.
pub fn ordered_moves(position: &Position) -> Vec<Move> {
    let turn = position.turn();
    let mut moves = position.legal_moves().as_slice().to_vec();
    moves.sort_by_key(|mv| policy_index(*mv, turn));
    moves
}
