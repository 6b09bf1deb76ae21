//! The value of a position for the side to move.
//!
//! Three kinds share one ordered number: heuristic centipawns in the middle, table-base results
//! outside them, mates outermost. Every score fits in sixteen bits, so a table entry can hold it.
//! Mates and table-base results count plies from the root of the search; the transposition table
//! counts them from the stored position instead, hence [`Score::to_table`] and
//! [`Score::from_table`].

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A search score, from the mover's point of view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

/// What a score says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A heuristic value.
    Centipawns(i32),
    /// A proven mate by the mover in this many plies.
    MateIn(u32),
    /// The mover is mated in this many plies.
    MatedIn(u32),
    /// A table-base win, entered after this many plies.
    TableWin(u32),
    /// A table-base loss, entered after this many plies.
    TableLoss(u32),
}

const MATE: i32 = 32_000;
const TABLE: i32 = 31_000;
/// Room for distances in plies below `MATE` and `TABLE`: more than any search reaches.
const SPAN: i32 = 512;
const HEURISTIC_LIMIT: i32 = TABLE - SPAN - 1;

const _: () = assert!(MATE - SPAN > TABLE, "mates must lie outside table-base results");
const _: () = assert!(MATE < i16::MAX as i32, "a score must fit in a table entry");

impl Score {
    /// A draw, and the neutral value.
    pub const ZERO: Self = Self(0);
    /// Above every reachable score.
    pub const INFINITY: Self = Self(MATE + 1);
    /// The largest heuristic value.
    pub const HEURISTIC_MAX: Self = Self(HEURISTIC_LIMIT);

    /// A heuristic value, clamped into the heuristic range.
    #[inline]
    pub const fn centipawns(value: i32) -> Self {
        Self(if value > HEURISTIC_LIMIT {
            HEURISTIC_LIMIT
        } else if value < -HEURISTIC_LIMIT {
            -HEURISTIC_LIMIT
        } else {
            value
        })
    }

    /// The score of a [`Score::value`] that fits in 16 bits, as all do.
    pub(crate) const fn from_value(value: i16) -> Self {
        Self(value as i32)
    }

    /// The mover is mated `ply` plies from the root.
    #[inline]
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - MATE)
    }

    /// The mover mates `ply` plies from the root.
    #[inline]
    pub const fn mate_in(ply: usize) -> Self {
        Self(MATE - ply as i32)
    }

    /// The mover wins by table base, known `ply` plies from the root.
    #[inline]
    pub const fn table_win(ply: usize) -> Self {
        Self(TABLE - ply as i32)
    }

    /// The mover loses by table base, known `ply` plies from the root.
    #[inline]
    pub const fn table_loss(ply: usize) -> Self {
        Self(ply as i32 - TABLE)
    }

    /// The bare number, for formulas.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// What the score says.
    pub const fn kind(self) -> Kind {
        let size = self.0.abs();
        if size > MATE - SPAN {
            let plies = not_below_zero(MATE - size);
            if self.0 > 0 { Kind::MateIn(plies) } else { Kind::MatedIn(plies) }
        } else if size > HEURISTIC_LIMIT {
            let plies = not_below_zero(TABLE - size);
            if self.0 > 0 { Kind::TableWin(plies) } else { Kind::TableLoss(plies) }
        } else {
            Kind::Centipawns(self.0)
        }
    }

    /// Neither a mate nor a table-base result: margins may be added.
    #[inline]
    pub const fn is_heuristic(self) -> bool {
        self.0.abs() <= HEURISTIC_LIMIT
    }

    /// A proven win by mate or table base.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > HEURISTIC_LIMIT
    }

    /// A proven loss by mate or table base.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -HEURISTIC_LIMIT
    }

    /// A mate for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() > MATE - SPAN
    }

    /// The score as the table keeps it: distances counted from the stored position.
    #[inline]
    pub const fn to_table(self, ply: usize) -> i16 {
        let value = if self.0 > HEURISTIC_LIMIT {
            self.0 + ply as i32
        } else if self.0 < -HEURISTIC_LIMIT {
            self.0 - ply as i32
        } else {
            self.0
        };
        // Only the infinite window edges could leave the range; they are never stored.
        if value > MATE {
            MATE as i16
        } else if value < -MATE {
            -MATE as i16
        } else {
            value as i16
        }
    }

    /// The reverse of [`Score::to_table`].
    #[inline]
    pub const fn from_table(stored: i16, ply: usize) -> Self {
        let value = stored as i32;
        if value > HEURISTIC_LIMIT {
            Self(value - ply as i32)
        } else if value < -HEURISTIC_LIMIT {
            Self(value + ply as i32)
        } else {
            Self(value)
        }
    }

    /// The same value seen by the opponent.
    #[inline]
    pub const fn negate(self) -> Self {
        Self(-self.0)
    }
}

const fn not_below_zero(value: i32) -> u32 {
    if value < 0 { 0 } else { value as u32 }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.negate()
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline]
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline]
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

impl Sub for Score {
    type Output = i32;
    #[inline]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Kind::Centipawns(value) => write!(f, "{value} cp"),
            Kind::MateIn(plies) => write!(f, "mate in {plies} plies"),
            Kind::MatedIn(plies) => write!(f, "mated in {plies} plies"),
            Kind::TableWin(plies) => write!(f, "table win after {plies} plies"),
            Kind::TableLoss(plies) => write!(f, "table loss after {plies} plies"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_ordered_and_recognised() {
        let ladder = [
            (Score::mated_in(0), Kind::MatedIn(0)),
            (Score::mated_in(4), Kind::MatedIn(4)),
            (Score::table_loss(3), Kind::TableLoss(3)),
            (Score::centipawns(-90_000), Kind::Centipawns(-HEURISTIC_LIMIT)),
            (Score::ZERO, Kind::Centipawns(0)),
            (Score::centipawns(35), Kind::Centipawns(35)),
            (Score::HEURISTIC_MAX, Kind::Centipawns(HEURISTIC_LIMIT)),
            (Score::table_win(9), Kind::TableWin(9)),
            (Score::mate_in(5), Kind::MateIn(5)),
            (Score::mate_in(1), Kind::MateIn(1)),
        ];
        for pair in ladder.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{:?} < {:?}", pair[0].0, pair[1].0);
        }
        for (score, kind) in ladder {
            assert_eq!(score.kind(), kind);
            assert_eq!(-(-score), score);
        }
    }

    #[test]
    fn the_table_counts_from_its_own_position() {
        // Found 7 plies from the root, mate 3 plies below; met again 2 plies from the root.
        let found = Score::mate_in(10);
        assert_eq!(Score::from_table(found.to_table(7), 2), Score::mate_in(5));
        let lost = Score::table_loss(10);
        assert_eq!(Score::from_table(lost.to_table(7), 2), Score::table_loss(5));
        for value in [-300, 0, 41] {
            let score = Score::centipawns(value);
            assert_eq!(Score::from_table(score.to_table(9), 1), score);
        }
    }
}
