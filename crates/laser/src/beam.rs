//! The laser of a position: where a side's beam goes and what it hits.
//!
//! Two ways that a test holds to be the same: [`Mirrors::shot_from`](crate::Mirrors::shot_from) jumps from mirror to
//! mirror along ray tables, and [`Position::beam`] walks square by square.

use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::direction::Compass;
use crate::mirrors::Shot;
use crate::position::Position;
use crate::square::Square;

impl Position {
    /// What a side's king would hit if it fired now. An empty shot if it has no king.
    #[inline]
    pub fn shot(&self, colour: Colour) -> Shot {
        match self.king(colour) {
            Some(king) => self.shot_from(king, self.orientation_at(king).facing()),
            None => Shot { path: Bitboard::EMPTY, victim: None },
        }
    }

    /// What a beam entering from `start` (excluded) hits.
    #[inline]
    pub fn shot_from(&self, start: Square, direction: Compass) -> Shot {
        self.mirrors().shot_from(start, direction)
    }

    /// The squares a side's beam would enter, in order, the victim's last.
    pub fn beam(&self, colour: Colour) -> BeamSquares<'_> {
        BeamSquares {
            position: self,
            square: self.king(colour),
            direction: self.facing(colour).unwrap_or(Compass::North),
        }
    }
}

/// Walks a beam square by square; see [`Position::beam`].
#[derive(Clone, Debug)]
pub struct BeamSquares<'a> {
    position: &'a Position,
    /// Where the beam is; `None` once it has left the board or hit something.
    square: Option<Square>,
    direction: Compass,
}

impl Iterator for BeamSquares<'_> {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let (file, rank) = self.direction.offset();
        let here = self.square?;
        let next = Square::at(here.file() + file, here.rank() + rank);
        self.square = next;
        let entered = next?;
        if self.position.occupied().contains(entered) {
            match self.position.mirrors().deflect(entered, self.direction) {
                Some(direction) => self.direction = direction,
                None => self.square = None,
            }
        }
        Some(entered)
    }
}
