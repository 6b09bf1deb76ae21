//! Moves in 16 bits, and a list of them that never allocates.

use super::{PieceKind, Square};
use std::fmt;
use std::num::NonZeroU16;

/// From (6 bits), to (6), promotion piece (2), kind (2).
///
/// Castling is "king takes own rook", which serves standard chess and Chess960 alike. A move from a1 to a1
/// does not exist, so no move is zero and `Option<Move>` is two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum MoveKind {
    Normal = 0,
    Promotion = 1 << 14,
    EnPassant = 2 << 14,
    Castling = 3 << 14,
}

impl Move {
    /// Any quiet move or capture without a twist. From and to must differ.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::pack(from, to, 0)
    }

    /// `kind` must be a knight, bishop, rook or queen; anything else is read as a queen.
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, kind: PieceKind) -> Move {
        let piece = match kind {
            PieceKind::Knight => 0,
            PieceKind::Bishop => 1,
            PieceKind::Rook => 2,
            _ => 3,
        };
        Move::pack(from, to, piece << 12 | MoveKind::Promotion as u16)
    }

    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(from, to, MoveKind::EnPassant as u16)
    }

    /// The king's square and the rook's square.
    #[inline(always)]
    pub const fn castling(king: Square, rook: Square) -> Move {
        Move::pack(king, rook, MoveKind::Castling as u16)
    }

    #[inline(always)]
    const fn pack(from: Square, to: Square, extra: u16) -> Move {
        let bits = from.index() as u16 | (to.index() as u16) << 6 | extra;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            // Only a1a1 packs to zero; it is nobody's legal move, so any other impossible move does as well.
            None => Move(NonZeroU16::MAX),
        }
    }

    /// The packed form, as tables store it.
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Whatever 16 bits came out of a table: not yet known to be legal anywhere.
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0.get() as u8)
    }

    /// The destination; for castling, the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrapping((self.0.get() >> 6) as u8)
    }

    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 14 {
            0 => MoveKind::Normal,
            1 => MoveKind::Promotion,
            2 => MoveKind::EnPassant,
            _ => MoveKind::Castling,
        }
    }

    #[inline(always)]
    pub const fn promotes_to(self) -> Option<PieceKind> {
        match self.kind() {
            MoveKind::Promotion => Some(self.promotion_piece()),
            _ => None,
        }
    }

    #[inline(always)]
    pub(crate) const fn promotion_piece(self) -> PieceKind {
        match self.0.get() >> 12 & 3 {
            0 => PieceKind::Knight,
            1 => PieceKind::Bishop,
            2 => PieceKind::Rook,
            _ => PieceKind::Queen,
        }
    }

    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        matches!(self.kind(), MoveKind::Promotion)
    }

    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), MoveKind::Castling)
    }

    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        matches!(self.kind(), MoveKind::EnPassant)
    }
}

/// Plain coordinates; castling shows as king takes rook. `crate::uci` writes moves for a protocol.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotes_to().map_or(Ok(()), |kind| write!(f, "{}", kind.to_char()))
    }
}

/// Room for every move of any position (no legal position has more than 218).
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    pub const CAPACITY: usize = 256;

    #[inline(always)]
    pub const fn new() -> MoveList {
        MoveList { moves: [Move(NonZeroU16::MAX); MoveList::CAPACITY], len: 0 }
    }

    /// Moves beyond the capacity are dropped: no position that passes validation has as many.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];
    #[inline(always)]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_every_kind() {
        let (from, to) = (Square::wrapping(52), Square::wrapping(61));
        for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
            let mv = Move::promotion(from, to, kind);
            assert_eq!((mv.from(), mv.to(), mv.promotes_to()), (from, to, Some(kind)));
        }
        assert!(Move::castling(Square::E1, Square::H1).is_castling());
        assert!(Move::en_passant(from, to).is_en_passant());
        assert_eq!(Move::normal(from, to).kind(), MoveKind::Normal);
        assert_eq!(Move::from_bits(0), None);
    }
}
