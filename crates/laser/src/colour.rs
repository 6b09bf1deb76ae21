//! The two sides.

use std::fmt;
use std::ops::Not;

/// A side. White ("Tangerine") moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Colour {
    White = 0,
    Black = 1,
}

impl Colour {
    pub const ALL: [Colour; 2] = [Colour::White, Colour::Black];

    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter used in FEN for the side to move.
    pub const fn letter(self) -> char {
        match self {
            Colour::White => 'W',
            Colour::Black => 'B',
        }
    }
}

impl Not for Colour {
    type Output = Colour;

    #[inline]
    fn not(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::White => "White",
            Colour::Black => "Black",
        })
    }
}
