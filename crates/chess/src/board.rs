//! The pieces and the rules' small memory (turn, castling, en passant): what a move changes.
//!
//! A `Board` is small enough to copy for every move (copy-make measured faster than unmaking, see
//! `results/chess/copy-make.md`) and knows no keys, clocks or history; [`crate::Position`] adds those.

use crate::attacks;
use crate::geometry::{between, bishop_lines, rook_lines};
use crate::types::{Bitboard, Color, File, Move, MoveKind, Piece, PieceKind, Rank, Square};

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
    /// Rooks that may still castle; the king's side of each is told by where the king stands.
    castling: Bitboard,
    pieces: [Option<Piece>; 64],
    turn: Color,
    /// Set only when some pawn can legally capture there.
    en_passant: Option<Square>,
}

/// Where the king and the rook end, for the rook a king castles with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Castling {
    pub king_to: Square,
    pub rook_to: Square,
}

impl Castling {
    #[inline(always)]
    pub const fn of(king: Square, rook: Square) -> Castling {
        let rank = king.rank();
        let (king_file, rook_file) =
            if rook.index() > king.index() { (File::G, File::F) } else { (File::C, File::D) };
        Castling { king_to: Square::new(king_file, rank), rook_to: Square::new(rook_file, rank) }
    }
}

impl Board {
    /// No pieces, White to move: the canvas the readers of notations paint on.
    pub const fn empty() -> Board {
        Board {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            castling: Bitboard::EMPTY,
            pieces: [None; 64],
            turn: Color::White,
            en_passant: None,
        }
    }

    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    #[inline(always)]
    pub const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind as usize]
    }

    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.kind(kind) & self.color(color)
    }

    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.color(Color::White) | self.color(Color::Black)
    }

    #[inline(always)]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceKind::King).lowest()
    }

    /// Rooks of both sides that may still castle.
    #[inline(always)]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The rook `color` may still castle with on the king's side (`true`) or the queen's.
    pub fn castling_rook(&self, color: Color, kingside: bool) -> Option<Square> {
        let king = self.king(color);
        (self.castling & self.color(color)).into_iter().find(|rook| (rook.index() > king.index()) == kingside)
    }

    /// The square behind a pawn that just made a double step, if it can legally be captured there.
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    pub(crate) fn set_turn(&mut self, turn: Color) {
        self.turn = turn;
    }

    pub(crate) fn set_castling(&mut self, rooks: Bitboard) {
        self.castling = rooks;
    }

    pub(crate) fn set_en_passant(&mut self, square: Option<Square>) {
        self.en_passant = square;
    }

    #[inline(always)]
    pub(crate) fn place(&mut self, square: Square, piece: Piece) {
        let bit = square.bitboard();
        self.kinds[piece.kind() as usize] |= bit;
        self.colors[piece.color() as usize] |= bit;
        self.pieces[square.index()] = Some(piece);
    }

    #[inline(always)]
    pub(crate) fn lift(&mut self, square: Square, piece: Piece) {
        let bit = square.bitboard();
        self.kinds[piece.kind() as usize] &= !bit;
        self.colors[piece.color() as usize] &= !bit;
        self.pieces[square.index()] = None;
    }

    /// Pieces of both colours that attack `square`, were the board occupied so.
    #[inline(always)]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.kind(PieceKind::Queen);
        (attacks::pawn(Color::Black, square) & self.pieces(Color::White, PieceKind::Pawn))
            | (attacks::pawn(Color::White, square) & self.pieces(Color::Black, PieceKind::Pawn))
            | (attacks::knight(square) & self.kind(PieceKind::Knight))
            | (attacks::king(square) & self.kind(PieceKind::King))
            | (attacks::bishop(square, occupied) & (self.kind(PieceKind::Bishop) | queens))
            | (attacks::rook(square, occupied) & (self.kind(PieceKind::Rook) | queens))
    }

    /// Every square that `color` attacks, were the board occupied so.
    #[inline(always)]
    pub fn attacked_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let own = self.color(color);
        let queens = self.kind(PieceKind::Queen);
        let mut attacked = attacks::pawns(color, own & self.kind(PieceKind::Pawn));
        for square in own & self.kind(PieceKind::Knight) {
            attacked |= attacks::knight(square);
        }
        for square in own & (self.kind(PieceKind::Bishop) | queens) {
            attacked |= attacks::bishop(square, occupied);
        }
        for square in own & (self.kind(PieceKind::Rook) | queens) {
            attacked |= attacks::rook(square, occupied);
        }
        attacked | attacks::king(self.king(color))
    }

    /// Enemy pieces that give check to the side to move, and its own pieces that shield its king.
    #[inline(always)]
    pub(crate) fn checkers_and_pinned(&self) -> (Bitboard, Bitboard) {
        match self.turn {
            Color::White => self.checkers_and_pinned_as::<true>(),
            Color::Black => self.checkers_and_pinned_as::<false>(),
        }
    }

    #[inline(always)]
    pub(crate) fn checkers_and_pinned_as<const WHITE: bool>(&self) -> (Bitboard, Bitboard) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (own, enemy) = (self.color(us), self.color(!us));
        let king = self.king(us);
        let queens = self.kind(PieceKind::Queen);
        let mut checkers = ((attacks::pawn(us, king) & self.kind(PieceKind::Pawn))
            | (attacks::knight(king) & self.kind(PieceKind::Knight)))
            & enemy;
        let snipers = ((rook_lines(king) & (self.kind(PieceKind::Rook) | queens))
            | (bishop_lines(king) & (self.kind(PieceKind::Bishop) | queens)))
            & enemy;
        let occupied = own | enemy;
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let shield = between(king, sniper) & occupied;
            if shield.is_empty() {
                checkers |= sniper.bitboard();
            } else if !shield.more_than_one() {
                pinned |= shield & own;
            }
        }
        (checkers, pinned)
    }

    /// Whether the pawn on `from` may capture en passant on `to` without leaving its own king attacked.
    ///
    /// Judged on the board as it would be, so it holds for every pin and every check, however the position
    /// came about.
    pub(crate) fn en_passant_is_safe(&self, from: Square, to: Square, color: Color) -> bool {
        let victim = Square::new(to.file(), from.rank()).bitboard();
        let occupied = (self.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
        let enemy = self.color(!color) & !victim;
        (self.attackers(self.king(color), occupied) & enemy).is_empty()
    }

    /// Whether any pawn of `color` can legally capture en passant on `to`.
    pub(crate) fn en_passant_exists(&self, to: Square, color: Color) -> bool {
        let capturers = attacks::pawn(!color, to) & self.pieces(color, PieceKind::Pawn);
        capturers.into_iter().any(|from| self.en_passant_is_safe(from, to, color))
    }

    /// Plays a legal move. A move that is not legal here leaves a board that makes no sense.
    #[inline(always)]
    pub fn play(&mut self, mv: Move) {
        match self.turn {
            Color::White => self.play_as::<true>(mv),
            Color::Black => self.play_as::<false>(mv),
        }
    }

    #[inline(always)]
    pub(crate) fn play_as<const WHITE: bool>(&mut self, mv: Move) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (from, to) = (mv.from(), mv.to());
        self.en_passant = None;
        self.turn = !us;
        let Some(piece) = self.pieces[from.index()] else { return };
        if mv.kind() == MoveKind::Castling {
            return self.castle(from, to, us);
        }
        if let Some(victim) = self.pieces[to.index()] {
            self.lift(to, victim);
        }
        self.lift(from, piece);
        let landed = match mv.promotes_to() {
            Some(kind) => Piece::new(us, kind),
            None => piece,
        };
        self.place(to, landed);
        self.castling &= !(from.bitboard() | to.bitboard());
        match piece.kind() {
            PieceKind::Pawn => self.after_pawn_move(mv, us),
            PieceKind::King => self.castling &= !back_rank(us),
            _ => {}
        }
    }

    #[inline(always)]
    fn after_pawn_move(&mut self, mv: Move, us: Color) {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_en_passant() {
            self.lift(Square::new(to.file(), from.rank()), Piece::new(!us, PieceKind::Pawn));
        } else if from.index().abs_diff(to.index()) == 16 {
            let behind = Square::wrapping(from.index().midpoint(to.index()) as u8);
            if self.en_passant_exists(behind, !us) {
                self.en_passant = Some(behind);
            }
        }
    }

    fn castle(&mut self, king: Square, rook: Square, us: Color) {
        let goal = Castling::of(king, rook);
        let (king_piece, rook_piece) = (Piece::new(us, PieceKind::King), Piece::new(us, PieceKind::Rook));
        // Both leave before either lands: in Chess960 their squares may overlap.
        self.lift(king, king_piece);
        self.lift(rook, rook_piece);
        self.place(goal.king_to, king_piece);
        self.place(goal.rook_to, rook_piece);
        self.castling &= !back_rank(us);
    }

    /// Passes the turn.
    pub(crate) fn play_null(&mut self) {
        self.en_passant = None;
        self.turn = !self.turn;
    }
}

#[inline(always)]
pub(crate) const fn back_rank(color: Color) -> Bitboard {
    Rank::FIRST.relative_to(color).bitboard()
}
