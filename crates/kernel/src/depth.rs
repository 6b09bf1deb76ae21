//! The remaining depth of a search, in plies.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// The deepest ply any search may reach; arrays indexed by ply are this long.
pub const MAX_PLY: usize = 246;

/// Remaining plies before the quiescence search; zero or below means quiescence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Depth(i32);

impl Depth {
    /// The horizon.
    pub const ZERO: Self = Self(0);
    /// The deepest iteration the driver starts.
    pub const MAX: Self = Self(240);

    /// A depth of so many plies.
    #[inline]
    pub const fn new(plies: i32) -> Self {
        Self(plies)
    }

    /// The bare number, for formulas.
    #[inline]
    pub const fn plies(self) -> i32 {
        self.0
    }

    /// The depth as an array index, never below zero.
    #[inline]
    pub const fn index(self) -> usize {
        if self.0 < 0 { 0 } else { self.0 as usize }
    }
}

impl Add<i32> for Depth {
    type Output = Self;
    #[inline]
    fn add(self, plies: i32) -> Self {
        Self(self.0 + plies)
    }
}

impl Sub<i32> for Depth {
    type Output = Self;
    #[inline]
    fn sub(self, plies: i32) -> Self {
        Self(self.0 - plies)
    }
}

impl AddAssign<i32> for Depth {
    #[inline]
    fn add_assign(&mut self, plies: i32) {
        self.0 += plies;
    }
}

impl SubAssign<i32> for Depth {
    #[inline]
    fn sub_assign(&mut self, plies: i32) {
        self.0 -= plies;
    }
}

/// Guards read `depth >= 3`.
impl PartialEq<i32> for Depth {
    #[inline]
    fn eq(&self, plies: &i32) -> bool {
        self.0 == *plies
    }
}

impl PartialOrd<i32> for Depth {
    #[inline]
    fn partial_cmp(&self, plies: &i32) -> Option<Ordering> {
        self.0.partial_cmp(plies)
    }
}
