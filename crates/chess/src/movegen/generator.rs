//! The generator itself, compiled once for each side to move.

use super::{Sink, Stage, below};
use crate::attacks;
use crate::board::{Board, Castling, back_rank};
use crate::geometry::{anti_diagonal, between, diagonal, line};
use crate::types::{Bitboard, Color, Move, PieceKind, Square};

pub(crate) struct Generator<'a, const WHITE: bool> {
    board: &'a Board,
    checkers: Bitboard,
    pinned: Bitboard,
    king: Square,
    own: Bitboard,
    enemy: Bitboard,
}

impl<'a, const WHITE: bool> Generator<'a, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };
    const THEM: Color = if WHITE { Color::Black } else { Color::White };
    const FORWARD: i8 = if WHITE { 8 } else { -8 };

    #[inline(always)]
    pub fn new(board: &'a Board, checkers: Bitboard, pinned: Bitboard) -> Self {
        let (own, enemy) = (board.color(Self::US), board.color(Self::THEM));
        Generator { board, checkers, pinned, king: board.king(Self::US), own, enemy }
    }

    #[inline(always)]
    pub fn run<St: Stage>(&self, sink: &mut impl Sink) {
        let stage_targets = match (St::NOISY, St::QUIET) {
            (true, true) => !self.own,
            (true, false) => self.enemy,
            _ => !(self.own | self.enemy),
        };
        let castling = St::QUIET
            && self.checkers.is_empty()
            && (self.board.castling_rooks() & self.own & back_rank(Self::US)).any();
        self.king_moves(stage_targets, castling, sink);
        if self.checkers.more_than_one() {
            return;
        }
        // A single check must be met by capturing the checker or stepping between.
        let answers = match self.checkers.first() {
            Some(checker) => between(self.king, checker) | self.checkers,
            None => Bitboard::ALL,
        };
        self.pawn_moves::<St>(answers, sink);
        self.piece_moves(stage_targets & answers, sink);
    }

    #[inline(always)]
    fn king_moves(&self, stage_targets: Bitboard, castling: bool, sink: &mut impl Sink) {
        let steps = attacks::king(self.king) & stage_targets;
        if steps.is_empty() && !castling {
            return;
        }
        // The king does not shield the squares behind it from a slider.
        let occupied = (self.own | self.enemy) ^ self.king.bitboard();
        let danger = self.board.attacked_by(Self::THEM, occupied);
        sink.piece(self.king, steps & !danger);
        if castling {
            for rook in self.board.castling_rooks() & self.own {
                if self.may_castle(rook, danger) {
                    sink.special(Move::castling(self.king, rook));
                }
            }
        }
    }

    #[inline(always)]
    fn may_castle(&self, rook: Square, danger: Bitboard) -> bool {
        let goal = Castling::of(self.king, rook);
        let king_path = between(self.king, goal.king_to) | goal.king_to.bitboard();
        let rook_path = between(rook, goal.rook_to) | goal.rook_to.bitboard();
        let occupied = (self.own | self.enemy) ^ self.king.bitboard() ^ rook.bitboard();
        // A pinned rook (Chess960 only) shields the king's goal from the side.
        ((king_path | rook_path) & occupied).is_empty()
            && (king_path & danger).is_empty()
            && !self.pinned.has(rook)
    }

    #[inline(always)]
    fn piece_moves(&self, targets: Bitboard, sink: &mut impl Sink) {
        let occupied = self.own | self.enemy;
        let queens = self.board.kind(PieceKind::Queen);
        let free = self.own & !self.pinned;
        for from in free & self.board.kind(PieceKind::Knight) {
            sink.piece(from, attacks::knight(from) & targets);
        }
        let diagonal_sliders = self.board.kind(PieceKind::Bishop) | queens;
        let straight_sliders = self.board.kind(PieceKind::Rook) | queens;
        for from in free & diagonal_sliders {
            sink.piece(from, attacks::bishop(from, occupied) & targets);
        }
        for from in free & straight_sliders {
            sink.piece(from, attacks::rook(from, occupied) & targets);
        }
        if (self.pinned & (diagonal_sliders | straight_sliders)).any() {
            for from in self.pinned & diagonal_sliders {
                sink.piece(from, attacks::bishop(from, occupied) & targets & line(self.king, from));
            }
            for from in self.pinned & straight_sliders {
                sink.piece(from, attacks::rook(from, occupied) & targets & line(self.king, from));
            }
        }
    }

    /// A pinned pawn keeps the line to its king by pushing on the king's file or capturing along its diagonal.
    #[inline(always)]
    fn pawn_moves<St: Stage>(&self, answers: Bitboard, sink: &mut impl Sink) {
        let pawns = self.own & self.board.kind(PieceKind::Pawn);
        let free = !self.pinned;
        let empty = !(self.own | self.enemy);
        let last = if WHITE { Bitboard::RANK_8 } else { Bitboard::RANK_1 };
        let third = if WHITE { Bitboard::RANK_3 } else { Bitboard::RANK_6 };

        let pushers = pawns & (free | self.king.file().bitboard());
        let single = Self::forward(pushers) & empty;
        if St::QUIET {
            let double = Self::forward(single & third) & empty & answers;
            sink.pawns(single & answers & !last, Self::FORWARD);
            sink.pawns(double, 2 * Self::FORWARD);
        }
        if St::NOISY {
            // East of a white pawn and west of a black one lie on diagonals of opposite slope.
            let (rising, falling) = (diagonal(self.king), anti_diagonal(self.king));
            let (east_line, west_line) = if WHITE { (rising, falling) } else { (falling, rising) };
            let east = Self::forward(pawns & (free | east_line)).east() & self.enemy & answers;
            let west = Self::forward(pawns & (free | west_line)).west() & self.enemy & answers;
            sink.pawns(east & !last, Self::FORWARD + 1);
            sink.pawns(west & !last, Self::FORWARD - 1);
            let push = single & answers & last;
            if ((east | west) & last | push).any() {
                sink.promotions(east & last, Self::FORWARD + 1);
                sink.promotions(west & last, Self::FORWARD - 1);
                sink.promotions(push, Self::FORWARD);
            }
            if let Some(to) = self.board.en_passant() {
                self.en_passant(pawns, to, sink);
            }
        }
    }

    #[inline(never)]
    fn en_passant(&self, pawns: Bitboard, to: Square, sink: &mut impl Sink) {
        for from in attacks::pawn(Self::THEM, to) & pawns {
            if self.board.en_passant_is_safe(from, to, Self::US) {
                sink.special(Move::en_passant(from, to));
            }
        }
    }

    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        if WHITE { set.north() } else { set.south() }
    }

    /// Whether one move, of any origin, is among the moves this generator would hand out.
    pub fn allows_castling(&self, rook: Square) -> bool {
        if self.checkers.any() || !(self.board.castling_rooks() & self.own).has(rook) {
            return false;
        }
        let occupied = (self.own | self.enemy) ^ self.king.bitboard();
        self.may_castle(rook, self.board.attacked_by(Self::THEM, occupied))
    }

    /// Whether a pawn on `from` may make the plain step or capture to `to`, promotion aside.
    pub fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        if self.enemy.has(to) {
            return attacks::pawn(Self::US, from).has(to);
        }
        let occupied = self.own | self.enemy;
        let one = below(from, -Self::FORWARD);
        if occupied.has(to) || occupied.has(one) {
            return false;
        }
        let home = crate::types::Rank::SECOND.relative_to(Self::US);
        to == one || (from.rank() == home && to == below(one, -Self::FORWARD))
    }
}
