//! Which side of the truth a search result lies on.

/// The relation of a stored score to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Bound {
    /// No score: the entry only carries a static evaluation.
    #[default]
    None = 0,
    /// The truth is at most the score: no move reached alpha.
    Upper = 1,
    /// The truth is at least the score: a move reached beta.
    Lower = 2,
    /// The score is the truth at its depth.
    Exact = 3,
}

impl Bound {
    /// The bound kept in the two low bits.
    #[inline]
    pub const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::None,
            1 => Self::Upper,
            2 => Self::Lower,
            _ => Self::Exact,
        }
    }

    /// The truth is known not to be above the score.
    #[inline]
    pub const fn is_at_most(self) -> bool {
        self as u8 & 1 != 0
    }

    /// The truth is known not to be below the score.
    #[inline]
    pub const fn is_at_least(self) -> bool {
        self as u8 & 2 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::Bound;

    #[test]
    fn bits_round_trip_and_directions_agree() {
        for (bits, bound, most, least) in [
            (0, Bound::None, false, false),
            (1, Bound::Upper, true, false),
            (2, Bound::Lower, false, true),
            (3, Bound::Exact, true, true),
        ] {
            assert_eq!(Bound::from_bits(bits), bound);
            assert_eq!(bound as u8, bits);
            assert_eq!((bound.is_at_most(), bound.is_at_least()), (most, least));
        }
    }
}
