//! Judging a single move: is it legal here, does it give check?

use super::Generator;
use crate::attacks;
use crate::board::Castling;
use crate::geometry::{between, line};
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, MoveKind, PieceKind, Rank, Square};

impl Position {
    /// Whether the mover is ours, the kind of move fits the piece and the path is free: legal, but perhaps for a
    /// check or pin. Takes any 16 bits that came out of a table.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        match self.turn() {
            Color::White => self.pseudo_legal_as::<true>(mv),
            Color::Black => self.pseudo_legal_as::<false>(mv),
        }
    }

    fn pseudo_legal_as<const WHITE: bool>(&self, mv: Move) -> bool {
        let board = self.board();
        let us = self.turn();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = board.piece_on(from) else { return false };
        if piece.color() != us {
            return false;
        }
        let generator = Generator::<WHITE>::new(board, self.checkers(), self.pinned());
        let reaches_last_rank = to.rank() == Rank::EIGHTH.relative_to(us);
        match mv.kind() {
            MoveKind::Castling => piece.kind() == PieceKind::King && generator.allows_castling(to),
            MoveKind::EnPassant => {
                piece.kind() == PieceKind::Pawn
                    && board.en_passant() == Some(to)
                    && attacks::pawn(us, from).has(to)
            }
            MoveKind::Promotion => {
                piece.kind() == PieceKind::Pawn && reaches_last_rank && generator.pawn_reaches(from, to)
            }
            MoveKind::Normal => {
                // The two promotion bits are idle in a normal move: set, they are a different, foreign word.
                let canonical = mv == Move::normal(from, to);
                canonical
                    && !board.color(us).has(to)
                    && if piece.kind() == PieceKind::Pawn {
                        !reaches_last_rank && generator.pawn_reaches(from, to)
                    } else {
                        attacks::piece(piece.kind(), from, board.occupied()).has(to)
                    }
            }
        }
    }

    /// Whether `mv`, of whatever origin, is a legal move here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.is_legal_given_pseudo(mv)
    }

    fn is_legal_given_pseudo(&self, mv: Move) -> bool {
        let board = self.board();
        let us = self.turn();
        let (from, to) = (mv.from(), mv.to());
        let king = board.king(us);
        match mv.kind() {
            // Castling was judged in full, and an impossible variant of its bits is no move.
            MoveKind::Castling => mv == Move::castling(from, to),
            MoveKind::EnPassant => mv == Move::en_passant(from, to) && board.en_passant_is_safe(from, to, us),
            _ if from == king => {
                let occupied = board.occupied() ^ king.bitboard();
                (board.attackers(to, occupied) & board.color(!us)).is_empty()
            }
            _ => {
                let shields = !self.pinned().has(from) || line(king, from).has(to);
                shields && self.answers_check(to)
            }
        }
    }

    fn answers_check(&self, to: Square) -> bool {
        let checkers = self.checkers();
        match checkers.first() {
            None => true,
            Some(_) if checkers.more_than_one() => false,
            Some(checker) => checkers.has(to) || between(self.board().king(self.turn()), checker).has(to),
        }
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let board = self.board();
        let us = self.turn();
        let (from, to) = (mv.from(), mv.to());
        let king = board.king(!us);
        let Some(piece) = board.piece_on(from) else { return false };
        let occupied_after = match mv.kind() {
            MoveKind::Castling => {
                let goal = Castling::of(from, to);
                let occupied = (board.occupied() ^ from.bitboard() ^ to.bitboard())
                    | goal.king_to.bitboard()
                    | goal.rook_to.bitboard();
                return attacks::rook(goal.rook_to, occupied).has(king)
                    || self.discovers(king, occupied, from.bitboard() | to.bitboard());
            }
            MoveKind::EnPassant => {
                let victim = Square::new(to.file(), from.rank()).bitboard();
                (board.occupied() ^ from.bitboard() ^ victim) | to.bitboard()
            }
            _ => (board.occupied() ^ from.bitboard()) | to.bitboard(),
        };
        let landed = mv.promotes_to().unwrap_or(piece.kind());
        let direct = match landed {
            PieceKind::Pawn => attacks::pawn(us, to).has(king),
            kind => attacks::piece(kind, to, occupied_after).has(king),
        };
        direct || self.discovers(king, occupied_after, from.bitboard())
    }

    /// Whether one of our sliders sees the enemy king once the pieces on `gone` have left.
    fn discovers(&self, king: Square, occupied: Bitboard, gone: Bitboard) -> bool {
        let board = self.board();
        let own = board.color(self.turn()) & !gone;
        let queens = board.kind(PieceKind::Queen);
        (attacks::rook(king, occupied) & own & (board.kind(PieceKind::Rook) | queens)).any()
            || (attacks::bishop(king, occupied) & own & (board.kind(PieceKind::Bishop) | queens)).any()
    }
}
