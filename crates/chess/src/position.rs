//! A legal position: the board, its keys, its clocks, and the checks and pins the next move must respect.
//!
//! Invariant: a `Position` can be reached only through a validating reader or by playing legal moves from one,
//! so it always has one king a side, no pawn on a back rank, and the side that just moved is not in check.

use crate::board::{Board, Castling};
use crate::movegen::{Counter, Every, Generator, Noisy, Quiet, Sink, Stage};
use crate::types::{Bitboard, Color, Move, MoveKind, MoveList, Piece, PieceKind, Square};
use crate::zobrist::{self, Keys};

#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    board: Board,
    keys: Keys,
    checkers: Bitboard,
    pinned: Bitboard,
    halfmove_clock: u16,
    fullmove_number: u16,
    /// Plies since the last capture, pawn move, null move or set-up: how far back a repetition can lie.
    reversible_plies: u16,
}

impl Position {
    /// From a board that passed validation.
    pub(crate) fn from_valid_board(board: Board, halfmove_clock: u16, fullmove_number: u16) -> Position {
        let (checkers, pinned) = board.checkers_and_pinned();
        Position {
            keys: Keys::of(&board),
            board,
            checkers,
            pinned,
            halfmove_clock,
            fullmove_number,
            reversible_plies: 0,
        }
    }

    #[inline(always)]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.board.turn()
    }

    #[inline(always)]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The key of the whole position, castling, en passant and turn included.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.keys.whole
    }

    /// Enemy pieces giving check.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Pieces of the side to move that shield their king.
    #[inline(always)]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// How far back a repetition can lie, in plies.
    #[inline(always)]
    pub const fn reversible_plies(&self) -> u16 {
        self.reversible_plies
    }

    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Plies since the start of the game, as far as the move number tells.
    pub const fn ply(&self) -> u32 {
        (self.fullmove_number as u32).saturating_sub(1) * 2 + self.turn() as u32
    }

    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board.piece_on(square)
    }

    /// What a move takes, if anything; castling takes nothing.
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<PieceKind> {
        match mv.kind() {
            MoveKind::Castling => None,
            MoveKind::EnPassant => Some(PieceKind::Pawn),
            _ => self.board.piece_on(mv.to()).map(Piece::kind),
        }
    }

    /// Captures and promotions.
    #[inline(always)]
    pub fn is_noisy(&self, mv: Move) -> bool {
        mv.is_promotion() || self.captured(mv).is_some()
    }

    /// Every legal move.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<Every>(&mut list);
        list
    }

    /// Captures and promotions.
    pub fn noisy_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<Noisy>(&mut list);
        list
    }

    /// Everything else.
    pub fn quiet_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<Quiet>(&mut list);
        list
    }

    /// Hands the legal moves of a stage to a sink.
    #[inline(always)]
    pub fn generate<St: Stage>(&self, sink: &mut impl Sink) {
        match self.turn() {
            Color::White => {
                Generator::<true>::new(&self.board, self.checkers, self.pinned).run::<St>(sink);
            }
            Color::Black => {
                Generator::<false>::new(&self.board, self.checkers, self.pinned).run::<St>(sink);
            }
        }
    }

    /// How many legal moves there are.
    pub fn count_legal(&self) -> u64 {
        let mut counter = Counter::default();
        self.generate::<Every>(&mut counter);
        counter.0
    }

    pub fn has_legal_move(&self) -> bool {
        self.count_legal() > 0
    }

    /// Plays a legal move (see [`Position::is_legal`]).
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let us = self.turn();
        let Some(piece) = self.board.piece_on(mv.from()) else { return };
        self.keys.whole ^= zobrist::en_passant(self.board.en_passant());
        let castling_before = self.board.castling_rooks();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible_plies = self.reversible_plies.saturating_add(1);
        if mv.is_castling() {
            self.toggle_castling(mv, us);
        } else {
            self.toggle_move(mv, piece, us);
        }

        self.board.play(mv);
        self.keys.whole ^= zobrist::en_passant(self.board.en_passant()) ^ zobrist::black_to_move();
        let castling_lost = castling_before ^ self.board.castling_rooks();
        if castling_lost.any() {
            self.keys.whole ^= zobrist::castling(castling_lost);
        }
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        (self.checkers, self.pinned) = self.board.checkers_and_pinned();
    }

    #[inline(always)]
    fn toggle_move(&mut self, mv: Move, piece: Piece, us: Color) {
        let (from, to) = (mv.from(), mv.to());
        self.keys.toggle(piece, from);
        match mv.promotes_to() {
            Some(kind) => self.keys.toggle(Piece::new(us, kind), to),
            None => self.keys.toggle(piece, to),
        }
        if let Some(victim) = self.board.piece_on(to) {
            self.keys.toggle(victim, to);
            self.reset_clocks();
        }
        if piece.kind() == PieceKind::Pawn {
            self.reset_clocks();
            if mv.is_en_passant() {
                let victim = Square::new(to.file(), from.rank());
                self.keys.toggle(Piece::new(!us, PieceKind::Pawn), victim);
            }
        }
    }

    #[inline(always)]
    fn reset_clocks(&mut self) {
        self.halfmove_clock = 0;
        self.reversible_plies = 0;
    }

    fn toggle_castling(&mut self, mv: Move, us: Color) {
        let goal = Castling::of(mv.from(), mv.to());
        let (king, rook) = (Piece::new(us, PieceKind::King), Piece::new(us, PieceKind::Rook));
        self.keys.toggle(king, mv.from());
        self.keys.toggle(rook, mv.to());
        self.keys.toggle(king, goal.king_to);
        self.keys.toggle(rook, goal.rook_to);
    }

    /// The position after a legal move.
    #[inline]
    pub fn after(&self, mv: Move) -> Position {
        let mut child = self.clone();
        child.play(mv);
        child
    }

    /// The key after a move, cheaply and nearly always right: for prefetching a table.
    #[inline(always)]
    pub fn key_after(&self, mv: Move) -> u64 {
        let mut key = self.keys.whole ^ zobrist::black_to_move();
        if let Some(piece) = self.board.piece_on(mv.from()) {
            key ^= zobrist::piece(piece, mv.from()) ^ zobrist::piece(piece, mv.to());
        }
        if let Some(victim) = self.board.piece_on(mv.to()) {
            key ^= zobrist::piece(victim, mv.to());
        }
        key
    }

    /// Passes the turn; not to be used in check. No repetition reaches across it.
    pub fn play_null(&mut self) {
        self.keys.whole ^= zobrist::en_passant(self.board.en_passant()) ^ zobrist::black_to_move();
        self.board.play_null();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible_plies = 0;
        (self.checkers, self.pinned) = self.board.checkers_and_pinned();
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.to_fen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Input may hold any number of moves back and forth.
    #[test]
    fn clocks_stop_at_their_end() {
        let mut position = Position::default();
        for _ in 0..70_000 / 4 {
            for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
                let mv = position.parse_uci(text).unwrap();
                position.play(mv);
            }
        }
        assert_eq!((position.halfmove_clock(), position.reversible_plies()), (u16::MAX, u16::MAX));
    }
}
