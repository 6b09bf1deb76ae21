//! Squares: files a-h from left to right, ranks 0-7 from White's side up.

use std::fmt;

use crate::direction::Step;

/// One of the 64 squares, numbered a0 = 0, b0 = 1, ... h7 = 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    pub const COUNT: usize = 64;

    /// The square with this number, if there is one.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// The square with this number, wrapped into the board: for numbers already known to be below 64.
    #[inline]
    pub(crate) const fn wrapping(index: u32) -> Square {
        Square((index & 63) as u8)
    }

    /// The square on a file and rank, both 0-7.
    pub const fn at(file: i32, rank: i32) -> Option<Square> {
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            Some(Square((rank * 8 + file) as u8))
        } else {
            None
        }
    }

    /// 0-63; the mask lets the compiler drop the bounds check of a 64-entry table.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    #[inline]
    pub const fn file(self) -> i32 {
        (self.0 & 7) as i32
    }

    #[inline]
    pub const fn rank(self) -> i32 {
        (self.0 >> 3) as i32
    }

    /// The neighbour in a direction, unless the edge is in the way.
    pub const fn step(self, step: Step) -> Option<Square> {
        let (file, rank) = step.offset();
        Square::at(self.file() + file, self.rank() + rank)
    }

    /// The direction of a neighbouring square; `None` if `other` is this square or further away.
    pub fn direction_to(self, other: Square) -> Option<Step> {
        Step::from_offset(other.file() - self.file(), other.rank() - self.rank())
    }

    pub const fn manhattan(self, other: Square) -> i32 {
        (self.file() - other.file()).abs() + (self.rank() - other.rank()).abs()
    }

    /// The same square seen from the other side of the table.
    pub const fn rotated(self) -> Square {
        Square(63 - (self.0 & 63))
    }

    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + (self.0 & 7)) as char, self.0 >> 3)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

const _: () = assert!(size_of::<Square>() == 1);
