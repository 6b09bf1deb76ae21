//! What makes a placement of pieces a position that the rules can go on from.

use super::FenError;
use crate::board::Board;
use crate::types::{Bitboard, Color, MoveList, PieceKind};

/// The best army that promotion can make sees 321 squares on an empty board, and its most moves are known to be 218.
/// Others may see as much more as leaves them within a list of moves by the same measure.
const MOST_REACH: u32 = 321 * MoveList::CAPACITY as u32 / 218;

/// One king a side, no pawn on a back rank, and an army the rest of the crate has room for.
///
/// Armies that no game can reach are played all the same (matches from seven knights or three queens a side exist),
/// as long as their moves fit a list.
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
        if board.color(color).count() > 16 {
            return Err(FenError::TooManyPieces { color, reason: "more than 16 pieces" });
        }
        let officers =
            [(PieceKind::Knight, 2), (PieceKind::Bishop, 2), (PieceKind::Rook, 2), (PieceKind::Queen, 1)];
        let promoted = officers.map(|(kind, at_start)| count(kind).saturating_sub(at_start));
        let reachable = pawns + promoted.iter().sum::<u32>() <= 8;
        // Squares its pieces would see on an empty board, every pawn a queen.
        let reach = 27 * (count(PieceKind::Queen) + pawns)
            + 14 * count(PieceKind::Rook)
            + 13 * count(PieceKind::Bishop)
            + 8 * (count(PieceKind::Knight) + 1);
        if !reachable && reach > MOST_REACH {
            return Err(FenError::TooManyPieces {
                color,
                reason: "more pieces than its pawns could promote to, and too many to play with",
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
