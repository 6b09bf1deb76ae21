//! A middlegame and an endgame value added and scaled together, in one machine word.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// The endgame half sits in the upper sixteen bits, the middlegame half is added below it, so one addition adds
/// both. Each half must stay within `i16`: weights are centipawns, and a full board of queens still fits.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
#[repr(transparent)]
pub struct Tapered(i32);

impl Tapered {
    pub const ZERO: Tapered = Tapered(0);

    #[inline(always)]
    pub const fn new(middlegame: i32, endgame: i32) -> Tapered {
        Tapered((endgame << 16) + middlegame)
    }

    #[inline(always)]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        // A negative lower half has borrowed one from the upper; adding half the range pays it back.
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn neg(self) -> Tapered {
        Tapered(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn mul(self, times: i32) -> Tapered {
        Tapered(self.0.wrapping_mul(times))
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_leak_into_each_other() {
        let values = [-9000, -301, -1, 0, 1, 77, 9000];
        for mg in values {
            for eg in values {
                let pair = Tapered::new(mg, eg);
                assert_eq!((pair.middlegame(), pair.endgame()), (mg, eg));
                let negated = -pair;
                assert_eq!((negated.middlegame(), negated.endgame()), (-mg, -eg));
                let tripled = pair * 3 - Tapered::new(7, -7);
                assert_eq!((tripled.middlegame(), tripled.endgame()), (3 * mg - 7, 3 * eg + 7));
            }
        }
    }
}
