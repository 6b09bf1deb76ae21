//! Pieces and the way they look.

use std::fmt;

use crate::colour::Colour;
use crate::direction::Compass;
use crate::moves::Turn;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    Pawn = 0,
    King = 1,
}

/// A piece's orientation, 0-3 clockwise. A king looks N, E, S, W; a pawn's mirror looks NW, NE, SE, SW.
///
/// One type for both, because turning is the same addition; what it means is asked through [`Piece`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Orientation(u8);

impl Orientation {
    pub const ALL: [Orientation; 4] = [Orientation(0), Orientation(1), Orientation(2), Orientation(3)];

    #[inline]
    pub const fn wrapping(number: u8) -> Orientation {
        Orientation(number & 3)
    }

    #[inline]
    pub const fn number(self) -> u8 {
        self.0 & 3
    }

    #[inline]
    pub const fn turned(self, turn: Turn) -> Orientation {
        Orientation::wrapping(self.0 + turn.quarters())
    }

    /// Where a king of this orientation fires.
    #[inline]
    pub const fn facing(self) -> Compass {
        Compass::wrapping(self.0)
    }

    /// What a pawn of this orientation does to a beam: the new direction, or `None` when the pawn is zapped.
    ///
    /// Counting orientations clockwise from the direction of travel, the mirror stands two on (it turns the beam
    /// right) or three on (left); otherwise the beam meets the opaque back.
    #[inline]
    pub const fn reflect(self, travelling: Compass) -> Option<Compass> {
        let relative = (self.0 + 4 - travelling as u8) & 3;
        if relative < 2 { None } else { Some(Compass::wrapping(travelling as u8 + 2 * relative + 1)) }
    }
}

/// Bits of a piece's code.
const ORIENTATION: u8 = 0b0011;
const COLOUR_AND_KIND: u8 = 0b1100;
const COLOUR: u8 = 0b1000;

/// A piece: colour, kind and orientation in four bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(u8);

/// Names in code order: pawns, then kings.
const NAMES: [&str; 16] =
    ["NW", "NE", "SE", "SW", "NN", "EE", "SS", "WW", "nw", "ne", "se", "sw", "nn", "ee", "ss", "ww"];

impl Piece {
    /// Number of different pieces: [`Piece::code`] is below it.
    pub const COUNT: usize = 16;

    #[inline]
    pub const fn new(colour: Colour, kind: Kind, orientation: Orientation) -> Piece {
        Piece((colour as u8) << 3 | (kind as u8) << 2 | orientation.number())
    }

    #[inline]
    pub(crate) const fn from_code(code: u8) -> Piece {
        Piece(code & 15)
    }

    /// A number below [`Piece::COUNT`], for tables.
    #[inline]
    pub const fn code(self) -> usize {
        (self.0 & 15) as usize
    }

    #[inline]
    pub const fn colour(self) -> Colour {
        if self.0 & 8 == 0 { Colour::White } else { Colour::Black }
    }

    #[inline]
    pub const fn kind(self) -> Kind {
        if self.0 & 4 == 0 { Kind::Pawn } else { Kind::King }
    }

    #[inline]
    pub const fn is_king(self) -> bool {
        self.0 & 4 != 0
    }

    #[inline]
    pub const fn orientation(self) -> Orientation {
        Orientation::wrapping(self.0)
    }

    #[inline]
    pub const fn turned(self, turn: Turn) -> Piece {
        self.turned_by(turn.quarters())
    }

    /// Turned clockwise by a number of quarters.
    #[inline]
    pub(crate) const fn turned_by(self, quarters: u8) -> Piece {
        Piece(self.0 & COLOUR_AND_KIND | (self.0 + quarters) & ORIENTATION)
    }

    /// The same piece in the other side's colour, seen from the other side of the table.
    pub const fn rotated(self) -> Piece {
        Piece(self.0 & COLOUR_AND_KIND ^ COLOUR | (self.0 + 2) & ORIENTATION)
    }

    /// The piece with this two-letter name, upper case for White.
    pub fn from_name(name: &str) -> Option<Piece> {
        NAMES.iter().position(|&known| known == name).map(|code| Piece(code as u8))
    }

    /// Two letters, upper case for White.
    pub const fn name(self) -> &'static str {
        NAMES[self.code()]
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_follow_the_rule_book() {
        use Compass::{East, North, South, West};
        // Rows: direction of travel N, E, S, W. Columns: pawn NW, NE, SE, SW.
        let book = [
            [None, None, Some(East), Some(West)],
            [Some(North), None, None, Some(South)],
            [Some(West), Some(East), None, None],
            [None, Some(North), Some(South), None],
        ];
        for travelling in Compass::ALL {
            for pawn in Orientation::ALL {
                let expected = book[travelling.index()][pawn.number() as usize];
                assert_eq!(pawn.reflect(travelling), expected, "{travelling:?} into {pawn:?}");
            }
        }
    }

    #[test]
    fn names_and_codes_agree() {
        for code in 0..Piece::COUNT {
            let piece = Piece::from_code(code as u8);
            assert_eq!(Piece::from_name(piece.name()), Some(piece));
            assert_eq!(piece.rotated().rotated(), piece);
        }
        assert_eq!(Piece::from_name("NN").map(Piece::rotated), Piece::from_name("ss"));
        assert_eq!(Piece::from_name("nW"), None);
    }

    #[test]
    fn turning_right_is_clockwise_for_both_colours() {
        for (before, after) in [("NN", "EE"), ("WW", "NN"), ("NW", "NE"), ("sw", "nw")] {
            let turned = Piece::from_name(before).map(|piece| piece.turned(Turn::Right));
            assert_eq!(turned, Piece::from_name(after));
        }
    }
}
