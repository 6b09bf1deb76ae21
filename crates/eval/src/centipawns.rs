//! Scores as users see them.

use std::fmt;

/// A score in shown units: at move 32, 100 centipawns win half of the games ([`crate::Evaluation::shown`]).
///
/// The search counts in the units of its evaluation. Only [`crate::Evaluation`] converts between the two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Centipawns(i32);

impl Centipawns {
    pub const fn new(value: i32) -> Centipawns {
        Centipawns(value)
    }

    pub const fn value(self) -> i32 {
        self.0
    }
}

impl std::ops::Neg for Centipawns {
    type Output = Centipawns;

    fn neg(self) -> Centipawns {
        Centipawns(-self.0)
    }
}

impl fmt::Display for Centipawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
