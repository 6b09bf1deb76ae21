//! The four ways a beam can travel and the eight ways a piece can step.

/// A direction of a beam, and the facing of a king. Numbered clockwise, so that a quarter turn is an addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Compass {
    North = 0,
    East = 1,
    South = 2,
    West = 3,
}

impl Compass {
    pub const ALL: [Compass; 4] = [Compass::North, Compass::East, Compass::South, Compass::West];

    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction with this number, counting past West back to North.
    #[inline]
    pub const fn wrapping(number: u8) -> Compass {
        match number & 3 {
            0 => Compass::North,
            1 => Compass::East,
            2 => Compass::South,
            _ => Compass::West,
        }
    }

    pub const fn opposite(self) -> Compass {
        Compass::wrapping(self as u8 + 2)
    }

    /// Files and ranks gained by one square of travel.
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Compass::North => (0, 1),
            Compass::East => (1, 0),
            Compass::South => (0, -1),
            Compass::West => (-1, 0),
        }
    }
}

/// One step of a piece: the eight neighbours, clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Step {
    North = 0,
    NorthEast = 1,
    East = 2,
    SouthEast = 3,
    South = 4,
    SouthWest = 5,
    West = 6,
    NorthWest = 7,
}

/// Marks "not a neighbour" in [`STEP_BY_OFFSET`].
const NO_STEP: u8 = 8;

/// Step number by square difference plus nine: the eight neighbours differ by -9 to 9.
const STEP_BY_OFFSET: [u8; 19] = {
    let mut table = [NO_STEP; 19];
    let mut number = 0;
    while number < 8 {
        table[(Step::ALL[number].delta() + 9) as usize] = number as u8;
        number += 1;
    }
    table
};

impl Step {
    pub const ALL: [Step; 8] = [
        Step::North,
        Step::NorthEast,
        Step::East,
        Step::SouthEast,
        Step::South,
        Step::SouthWest,
        Step::West,
        Step::NorthWest,
    ];

    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Files and ranks gained.
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Step::North => (0, 1),
            Step::NorthEast => (1, 1),
            Step::East => (1, 0),
            Step::SouthEast => (1, -1),
            Step::South => (0, -1),
            Step::SouthWest => (-1, -1),
            Step::West => (-1, 0),
            Step::NorthWest => (-1, 1),
        }
    }

    /// Square numbers gained.
    pub const fn delta(self) -> i32 {
        let (file, rank) = self.offset();
        rank * 8 + file
    }

    pub fn from_offset(file: i32, rank: i32) -> Option<Step> {
        Step::ALL.into_iter().find(|step| step.offset() == (file, rank))
    }

    /// The step's number from the difference of two squares known to be neighbours.
    #[inline]
    pub(crate) const fn number_between(from: usize, to: usize) -> u16 {
        STEP_BY_OFFSET[(to + 9).wrapping_sub(from) % 19] as u16
    }
}
