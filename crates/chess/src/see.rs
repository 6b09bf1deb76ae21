//! Static exchange evaluation: what a sequence of captures on one square wins.
//!
//! Pins are not looked at: finding them for both kings at every exchange cost more than it told.

use crate::attacks;
use crate::position::Position;
use crate::types::{Move, MoveKind, Piece, PieceKind, Square};

/// What the exchange counts a piece for, pawn to king. A king is never given up.
pub const SEE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

const fn value(kind: PieceKind) -> i32 {
    SEE_VALUES[kind as usize]
}

impl Position {
    /// Whether the exchange that `mv` starts wins at least `threshold`, each side taking with its least valuable
    /// piece and stopping when that suits it better.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.kind() == MoveKind::Castling {
            return threshold <= 0;
        }
        let board = self.board();
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = board.piece_on(from).map(Piece::kind) else { return false };
        let landed = mv.promotes_to().unwrap_or(mover);
        let won = self.captured(mv).map_or(0, value)
            + if mv.is_promotion() { value(landed) - value(PieceKind::Pawn) } else { 0 };

        // Not enough even if nobody takes back; or enough even if the mover is lost for nothing.
        let mut balance = won - threshold;
        if balance < 0 {
            return false;
        }
        balance = value(landed) - balance;
        if balance <= 0 {
            return true;
        }

        let queens = board.kind(PieceKind::Queen);
        let diagonal_sliders = board.kind(PieceKind::Bishop) | queens;
        let straight_sliders = board.kind(PieceKind::Rook) | queens;
        let mut occupied = board.occupied() & !from.bitboard() | to.bitboard();
        if mv.is_en_passant() {
            occupied ^= Square::new(to.file(), from.rank()).bitboard();
        }
        let mut attackers = board.attackers(to, occupied);
        let mut side = self.turn();
        // `enough` says who is content should the side to take next decline or have nothing to take with.
        let mut enough = true;
        loop {
            side = !side;
            attackers &= occupied;
            let own = attackers & board.color(side);
            let Some(taker) = PieceKind::ALL.into_iter().find(|&kind| (own & board.kind(kind)).any()) else {
                return enough;
            };
            enough = !enough;
            if taker == PieceKind::King {
                // The king may take only what nobody defends.
                let defended = (attackers & board.color(!side)).any();
                return enough ^ defended;
            }
            balance = value(taker) - balance;
            if balance < i32::from(enough) {
                return enough;
            }
            let from = (own & board.kind(taker)).lowest();
            occupied ^= from.bitboard();
            // Sliders behind the one that took.
            if matches!(taker, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
                attackers |= attacks::bishop(to, occupied) & diagonal_sliders;
            }
            if matches!(taker, PieceKind::Rook | PieceKind::Queen) {
                attackers |= attacks::rook(to, occupied) & straight_sliders;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact value by plain recursion over every order of captures: the meaning of the word, slowly.
    fn exchange(position: &Position, mv: Move) -> i32 {
        fn best_reply(position: &Position, to: Square) -> i32 {
            // Least valuable attacker first is what the fast version assumes; legality is left to the rules.
            let takers = position.noisy_moves();
            let mut takers: Vec<_> =
                takers.iter().filter(|mv| mv.to() == to && !mv.is_castling() && !mv.is_promotion()).collect();
            takers.sort_by_key(|mv| position.piece_on(mv.from()).map(Piece::kind));
            takers.first().map_or(0, |&&mv| exchange(position, mv).max(0))
        }
        let landed = mv.promotes_to().or(position.piece_on(mv.from()).map(Piece::kind)).unwrap();
        let promoted = if mv.is_promotion() { value(landed) - 100 } else { 0 };
        let won = position.captured(mv).map_or(0, value) + promoted;
        won - best_reply(&position.after(mv), mv.to())
    }

    #[test]
    fn agrees_with_plain_recursion() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
            "2r2rk1/1bqnbppp/p2ppn2/1p6/3NPP2/PBN1B3/1PPQ2PP/2KR3R w - - 0 14",
            "3r2k1/1p3ppp/2pq4/8/4P3/2P5/PP1Q1PPP/3R2K1 w - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "7k/3P4/2n5/8/8/8/8/4K3 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            if position.pinned().any() {
                continue;
            }
            for &mv in &position.legal_moves() {
                if mv.is_castling() {
                    continue;
                }
                let exact = exchange(&position, mv);
                assert!(position.see_at_least(mv, exact), "{fen} {mv:?} is worth {exact}");
                assert!(!position.see_at_least(mv, exact + 1), "{fen} {mv:?} is worth {exact}");
            }
        }
    }

    #[test]
    fn known_exchanges() {
        for (fen, mv, worth) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200),
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", -400),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mv = position.parse_uci(mv).unwrap();
            assert!(position.see_at_least(mv, worth) && !position.see_at_least(mv, worth + 1), "{fen}");
        }
    }
}
