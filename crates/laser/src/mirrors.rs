//! The mirrors on the board, and where a beam goes between them.
//!
//! A beam never loops, because a path run backwards is a path too: a cycle could never have been entered from outside,
//! and the firing king itself stops what comes back to it.

use crate::bitboard::Bitboard;
use crate::direction::Compass;
use crate::moves::Move;
use crate::piece::Orientation;
use crate::square::Square;

/// The whole of one shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shot {
    /// Every square the beam enters, the victim's included, the firing king's own not (unless it hits itself).
    pub path: Bitboard,
    /// The square of the piece it zaps; `None` when it leaves the board.
    pub victim: Option<Square>,
}

/// The half of a board that a beam can tell apart: what is empty, what is a king, how each pawn stands.
///
/// Half the size of a [`crate::Position`] and without colours or keys, so that asking "where would the beam go after this
/// move?" for every move costs little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mirrors {
    pub(crate) occupied: Bitboard,
    pub(crate) kings: Bitboard,
    /// Bit 0 and bit 1 of the orientation of the piece on each square; clear where there is none.
    pub(crate) orientations: [Bitboard; 2],
}

/// Moves one bit of a set from a square to another, which must be clear (or the same).
#[inline]
fn carry(set: &mut Bitboard, from: usize, to: usize) {
    let bit = set.0 >> from & 1;
    set.0 = (set.0 ^ bit << from) | bit << to;
}

/// Exchanges two bits of a set.
#[inline]
fn exchange(set: &mut Bitboard, one: usize, other: usize) {
    let differ = (set.0 >> one ^ set.0 >> other) & 1;
    set.0 ^= differ << one | differ << other;
}

impl Mirrors {
    /// The orientation of whatever stands on a square; meaningless where nothing does.
    #[inline]
    pub fn orientation_at(&self, square: Square) -> Orientation {
        let low = self.orientations[0].0 >> square.index() & 1;
        let high = self.orientations[1].0 >> square.index() & 1;
        Orientation::wrapping((high << 1 | low) as u8)
    }

    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.occupied
    }

    /// Takes whatever stands on a square off the board.
    #[inline]
    pub fn remove(&mut self, square: Square) {
        let keep = !Bitboard::of(square);
        self.occupied &= keep;
        self.kings &= keep;
        self.orientations[0] &= keep;
        self.orientations[1] &= keep;
    }

    /// Puts a pawn on an empty square.
    #[inline]
    pub fn put_pawn(&mut self, square: Square, orientation: Orientation) {
        let number = u64::from(orientation.number());
        self.occupied |= Bitboard::of(square);
        self.orientations[0].0 |= (number & 1) << square.index();
        self.orientations[1].0 |= (number >> 1) << square.index();
    }

    /// Puts a king on an empty square. Which way it looks is left open: a beam that meets it does not ask.
    #[inline]
    pub fn put_king(&mut self, square: Square) {
        self.occupied |= Bitboard::of(square);
        self.kings |= Bitboard::of(square);
    }

    /// Lifts the piece on `from` and puts the one on `middle` in its place: a swap whose mover has yet to land.
    #[inline]
    pub fn lift_swapping(&mut self, from: Square, middle: Square) {
        let keep = !Bitboard::of(from);
        let [low, high] = &mut self.orientations;
        for set in [&mut self.occupied, &mut self.kings, low, high] {
            *set &= keep;
            carry(set, middle.index(), from.index());
        }
    }

    /// Makes a playable move, without firing.
    #[inline]
    pub fn place(&mut self, mv: Move) {
        let decoded = mv.decoded();
        let mut here = mv.from().index();
        if decoded.is_swap() {
            let middle = mv.via_or_from(decoded).index();
            exchange(&mut self.kings, here, middle);
            exchange(&mut self.orientations[0], here, middle);
            exchange(&mut self.orientations[1], here, middle);
            here = middle;
        }
        if decoded.quarters() == 0 {
            let to = mv.to().index();
            carry(&mut self.occupied, here, to);
            carry(&mut self.kings, here, to);
            carry(&mut self.orientations[0], here, to);
            carry(&mut self.orientations[1], here, to);
        } else {
            let quarters = u64::from(decoded.quarters());
            // Two-bit addition: the carry out of bit 0 flips bit 1.
            let overflow = self.orientations[0].0 >> here & quarters & 1;
            self.orientations[0].0 ^= (quarters & 1) << here;
            self.orientations[1].0 ^= (quarters >> 1 ^ overflow) << here;
        }
    }

    /// The next occupied square in a direction.
    #[inline]
    pub fn nearest(&self, start: Square, direction: Compass) -> Option<Square> {
        let blockers = Bitboard::ray(start, direction) & self.occupied;
        // Both ends are found and one is chosen, because the direction of a beam is what no branch predictor knows.
        let (low, high) = (blockers.0.trailing_zeros(), 63 ^ blockers.0.leading_zeros());
        let nearest = if direction as u8 & 2 == 0 { low } else { high };
        if blockers.is_empty() { None } else { Some(Square::wrapping(nearest)) }
    }

    /// Where a beam that enters an occupied square goes on to; `None` if it zaps what stands there.
    #[inline]
    pub fn deflect(&self, hit: Square, travelling: Compass) -> Option<Compass> {
        if self.kings.contains(hit) { None } else { self.orientation_at(hit).reflect(travelling) }
    }

    /// The square a beam from `start` (excluded) ends on; `None` when it leaves the board.
    #[inline]
    pub fn victim_from(&self, start: Square, direction: Compass) -> Option<Square> {
        let (mut start, mut direction) = (start, direction);
        loop {
            let hit = self.nearest(start, direction)?;
            let Some(turned) = self.deflect(hit, direction) else { return Some(hit) };
            (start, direction) = (hit, turned);
        }
    }

    /// Follows a beam from `start` (excluded) to its end.
    #[inline]
    pub fn shot_from(&self, start: Square, direction: Compass) -> Shot {
        let mut path = Bitboard::EMPTY;
        let (mut start, mut direction) = (start, direction);
        loop {
            let ray = Bitboard::ray(start, direction);
            let Some(hit) = self.nearest(start, direction) else {
                return Shot { path: path | ray, victim: None };
            };
            path |= ray ^ Bitboard::ray(hit, direction);
            let Some(turned) = self.deflect(hit, direction) else {
                return Shot { path, victim: Some(hit) };
            };
            (start, direction) = (hit, turned);
        }
    }
}
