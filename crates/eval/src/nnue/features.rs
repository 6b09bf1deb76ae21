//! Which input a piece on a square is, and which output a board uses.

use chess::{Board, Color, Piece, Square};

/// Inputs of one view.
pub const INPUTS: usize = 768;
/// Outputs, chosen by the number of pieces.
pub const BUCKETS: usize = 8;

/// Whether `view` sees the board mirrored: its king is kept on the files a to d.
#[inline]
pub fn is_mirrored(board: &Board, view: Color) -> bool {
    board.king(view).file().index() >= 4
}

#[inline]
pub fn input(view: Color, mirrored: bool, piece: Piece, square: Square) -> usize {
    let enemy = usize::from(piece.color() != view);
    let square = square.relative_to(view);
    let square = if mirrored { square.flip_file() } else { square };
    enemy * 384 + piece.kind().index() * 64 + square.index()
}

#[inline]
pub fn bucket(board: &Board) -> usize {
    ((board.occupied().count().saturating_sub(2) / 4) as usize).min(BUCKETS - 1)
}
