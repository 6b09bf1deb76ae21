//! What is known of a node before its moves are tried: all that another worker needs to search some of them.

use kernel::Depth;
use laser::{Move, Position};

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy)]
pub(crate) struct NodeState {
    pub(super) position: Position,
    pub(super) depth: Depth,
    pub(super) ply: usize,
    pub(super) improving: bool,
    /// The enemy's beam stands on our king.
    pub(super) threatened: bool,
    /// Only zaps are worth trying.
    pub(super) futile: bool,
    pub(super) table_move: Option<Move>,
}
