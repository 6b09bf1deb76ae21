//! How far the game is from its ending: the mix of middlegame and endgame values.

use chess::{Board, PieceKind};

/// All pieces on the board.
pub const FULL: i32 = 24;

/// 24 with all pieces, 0 with none; promotions do not carry it beyond 24.
#[inline(always)]
pub fn phase(board: &Board) -> i32 {
    let count = |kind| board.kind(kind).count() as i32;
    let pieces = count(PieceKind::Knight)
        + count(PieceKind::Bishop)
        + 2 * count(PieceKind::Rook)
        + 4 * count(PieceKind::Queen);
    pieces.min(FULL)
}
