//! Draws that the position alone decides.

use crate::position::Position;
use crate::types::{Bitboard, PieceKind};

impl Position {
    /// No sequence of legal moves can mate: bare kings, a lone minor piece, or bishops all on one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let board = self.board();
        let mating = board.kind(PieceKind::Pawn) | board.kind(PieceKind::Rook) | board.kind(PieceKind::Queen);
        if mating.any() {
            return false;
        }
        let (knights, bishops) = (board.kind(PieceKind::Knight), board.kind(PieceKind::Bishop));
        if !(knights | bishops).more_than_one() {
            return true;
        }
        let one_colour =
            (bishops & Bitboard::LIGHT_SQUARES).is_empty() || (bishops & !Bitboard::LIGHT_SQUARES).is_empty();
        knights.is_empty() && one_colour
    }

    /// A hundred plies without capture or pawn move, unless the last of them mates.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.halfmove_clock() >= 100 && (!self.in_check() || self.has_legal_move())
    }

    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect(fen)
    }

    #[test]
    fn dead_material() {
        for (pieces, dead) in [
            ("4k3/8/8/8/8/8/8/4K3", true),
            ("4k3/8/8/8/8/8/8/4KB2", true),
            ("4kn2/8/8/8/8/8/8/4K3", true),
            ("4kb2/8/8/8/8/8/8/3BK3", false),
            ("2b1k3/8/8/8/8/8/8/3BK3", true),
            ("2b1k3/8/8/8/8/8/8/2B1K3", false),
            ("4k3/8/8/8/8/8/8/4KNN1", false),
            ("4kn2/8/8/8/8/8/8/4KB2", false),
            ("4k3/8/8/8/8/8/P7/4K3", false),
        ] {
            assert_eq!(position(&format!("{pieces} w - - 0 1")).is_insufficient_material(), dead, "{pieces}");
        }
    }

    #[test]
    fn mate_on_the_hundredth_ply_wins() {
        let mate = position("R3k3/8/4K3/8/8/8/8/8 b - - 100 80");
        assert!(mate.is_checkmate() && !mate.is_fifty_move_draw());
        let check = position("R3k3/8/8/4K3/8/8/8/8 b - - 100 80");
        assert!(!check.is_checkmate() && check.is_fifty_move_draw());
    }

    #[test]
    fn stalemate() {
        assert!(position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").is_stalemate());
    }
}
