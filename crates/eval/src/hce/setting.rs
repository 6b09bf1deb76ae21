//! What the terms share about a position: who attacks what, where pieces may roam.

use super::masks::{backward, fill_forward, forward, king_zone, ranks};
use super::sum::side;
use chess::geometry::{between, bishop_lines, rook_lines};
use chess::{Bitboard, Board, Color, PieceKind, Square, attacks};

/// Both sides of everything, indexed by colour.
pub(super) struct EvalContext<'a> {
    pub board: &'a Board,
    pub occupied: Bitboard,
    pub kings: [Square; 2],
    /// Pieces that shield their own king from a slider.
    pub pinned: [Bitboard; 2],
    /// Squares a side's pieces gain by reaching.
    pub mobility_area: [Bitboard; 2],
    /// Around the king of this colour, without what two of his pawns hold.
    pub king_zone: [Bitboard; 2],
    /// Squares a side's pawns attack or could come to attack by advancing.
    pub pawn_span: [Bitboard; 2],
    /// By colour and kind of the attacker.
    pub by: [[Bitboard; 6]; 2],
    pub attacked: [Bitboard; 2],
    pub attacked_twice: [Bitboard; 2],
}

impl<'a> EvalContext<'a> {
    #[inline(always)]
    pub fn new(board: &'a Board) -> EvalContext<'a> {
        let mut setting = EvalContext {
            board,
            occupied: board.occupied(),
            kings: [board.king(Color::White), board.king(Color::Black)],
            pinned: [Bitboard::EMPTY; 2],
            mobility_area: [Bitboard::EMPTY; 2],
            king_zone: [Bitboard::EMPTY; 2],
            pawn_span: [Bitboard::EMPTY; 2],
            by: [[Bitboard::EMPTY; 6]; 2],
            attacked: [Bitboard::EMPTY; 2],
            attacked_twice: [Bitboard::EMPTY; 2],
        };
        setting.begin::<true>();
        setting.begin::<false>();
        setting.roam::<true>();
        setting.roam::<false>();
        setting
    }

    #[inline(always)]
    pub fn own<const WHITE: bool>(&self, kind: PieceKind) -> Bitboard {
        self.board.pieces(side::<WHITE>(), kind)
    }

    #[inline(always)]
    pub fn enemy<const WHITE: bool>(&self, kind: PieceKind) -> Bitboard {
        self.board.pieces(!side::<WHITE>(), kind)
    }

    #[inline(always)]
    pub fn king<const WHITE: bool>(&self) -> Square {
        self.kings[side::<WHITE>().index()]
    }

    /// Attacks of the pawns and the king, the king's zone and the pins.
    #[inline(always)]
    fn begin<const WHITE: bool>(&mut self) {
        let us = side::<WHITE>();
        let pawns = self.own::<WHITE>(PieceKind::Pawn);
        let king = self.king::<WHITE>();
        let ahead = forward(us, pawns);
        let (east, west) = (ahead.east(), ahead.west());
        let (by_pawns, by_king) = (east | west, attacks::king(king));
        self.by[us.index()][PieceKind::Pawn.index()] = by_pawns;
        self.by[us.index()][PieceKind::King.index()] = by_king;
        self.attacked[us.index()] = by_pawns | by_king;
        self.attacked_twice[us.index()] = (east & west) | (by_pawns & by_king);
        self.pawn_span[us.index()] = fill_forward(us, by_pawns);
        self.king_zone[us.index()] = king_zone(king) & !(east & west);
        self.pinned[us.index()] = self.pinned_to::<WHITE>(king);
    }

    /// Squares not held by enemy pawns, not our king, not our pawns that cannot or should not move.
    #[inline(always)]
    fn roam<const WHITE: bool>(&mut self) {
        let us = side::<WHITE>();
        let pawns = self.own::<WHITE>(PieceKind::Pawn);
        let stuck = pawns & (backward(us, self.occupied) | ranks(us, 1, 2));
        let held = self.by[(!us).index()][PieceKind::Pawn.index()];
        self.mobility_area[us.index()] = !(stuck | self.king::<WHITE>().bitboard() | held);
    }

    #[inline(always)]
    fn pinned_to<const WHITE: bool>(&self, king: Square) -> Bitboard {
        let queens = self.enemy::<WHITE>(PieceKind::Queen);
        let snipers = (rook_lines(king) & (self.enemy::<WHITE>(PieceKind::Rook) | queens))
            | (bishop_lines(king) & (self.enemy::<WHITE>(PieceKind::Bishop) | queens));
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let shield = between(king, sniper) & self.occupied;
            if !shield.more_than_one() {
                pinned |= shield;
            }
        }
        pinned & self.board.color(side::<WHITE>())
    }

    /// Enters what one piece attacks.
    #[inline(always)]
    pub fn enter<const WHITE: bool>(&mut self, kind: PieceKind, attacks: Bitboard) {
        let us = side::<WHITE>().index();
        self.by[us][kind.index()] |= attacks;
        self.attacked_twice[us] |= self.attacked[us] & attacks;
        self.attacked[us] |= attacks;
    }
}
