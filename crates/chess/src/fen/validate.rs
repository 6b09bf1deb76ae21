//! What makes a placement of pieces a position that the rules can go on from.

use super::FenError;
use crate::board::Board;
use crate::types::{Bitboard, Color, PieceKind};

/// One king a side, no pawn on a back rank, no more pieces than promotion can make.
///
/// The bound on material also bounds the number of moves: with it, no position has more than 218.
pub(super) fn has_valid_pieces(board: &Board) -> Result<(), FenError> {
    for color in Color::BOTH {
        let count = board.pieces(color, PieceKind::King).count();
        if count != 1 {
            return Err(FenError::KingCount { color, count });
        }
    }
    let squares = board.kind(PieceKind::Pawn) & Bitboard::BACK_RANKS;
    if squares.any() {
        return Err(FenError::PawnOnBackRank { squares });
    }
    for color in Color::BOTH {
        let count = |kind| board.pieces(color, kind).count();
        let pawns = count(PieceKind::Pawn);
        if pawns > 8 {
            return Err(FenError::TooManyPieces { color, reason: "more than 8 pawns" });
        }
        let promoted: u32 =
            [(PieceKind::Knight, 2), (PieceKind::Bishop, 2), (PieceKind::Rook, 2), (PieceKind::Queen, 1)]
                .map(|(kind, at_start)| count(kind).saturating_sub(at_start))
                .iter()
                .sum();
        if pawns + promoted > 8 {
            return Err(FenError::TooManyPieces {
                color,
                reason: "more pieces than its pawns could promote to",
            });
        }
    }
    Ok(())
}

/// The side that just moved may not have left its king attacked.
pub(super) fn has_turn_king_safe(board: &Board) -> Result<(), FenError> {
    let us = board.turn();
    let king = board.king(!us);
    let attackers = board.attackers(king, board.occupied()) & board.color(us);
    match attackers.first() {
        Some(checker) => Err(FenError::OpponentInCheck { king, color: !us, checker }),
        None => Ok(()),
    }
}
