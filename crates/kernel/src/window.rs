//! The alpha-beta window as an object: the sign flips and the off-by-ones live here.

use crate::bound::Bound;
use crate::score::Score;
use std::ops::Neg;

/// The open interval of scores that would change the parent's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    /// Everything.
    pub const FULL: Self = Self { alpha: Score::INFINITY.negate(), beta: Score::INFINITY };

    /// The window between two scores.
    #[inline]
    pub fn new(alpha: Score, beta: Score) -> Self {
        debug_assert!(alpha < beta, "empty window {alpha:?} .. {beta:?}");
        Self { alpha, beta }
    }

    /// The null window that asks "is it at least `beta`?".
    #[inline]
    pub fn below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// What the mover already has.
    #[inline]
    pub const fn alpha(self) -> Score {
        self.alpha
    }

    /// What the opponent will not allow.
    #[inline]
    pub const fn beta(self) -> Score {
        self.beta
    }

    /// The null window just above alpha: "is this move better than what we have?".
    #[inline]
    pub fn null(self) -> Self {
        Self { alpha: self.alpha, beta: self.alpha + 1 }
    }

    /// No score lies strictly inside.
    #[inline]
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// The opponent would avoid this.
    #[inline]
    pub fn fails_high(self, score: Score) -> bool {
        score >= self.beta
    }

    /// The mover has something at least as good.
    #[inline]
    pub fn fails_low(self, score: Score) -> bool {
        score <= self.alpha
    }

    /// Strictly inside: the exact value.
    #[inline]
    pub fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }

    /// Raises alpha to `score` if that narrows the window.
    #[inline]
    pub fn raise(&mut self, score: Score) {
        if score > self.alpha {
            self.alpha = score;
        }
    }

    /// Lowers beta to `score` if that narrows the window.
    #[inline]
    pub fn lower(&mut self, score: Score) {
        if score < self.beta {
            self.beta = score;
        }
    }

    /// The two edges have met: nothing can matter any more.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// What a score found inside this window says about the truth.
    #[inline]
    pub fn bound(self, score: Score) -> Bound {
        if self.fails_high(score) {
            Bound::Lower
        } else if self.fails_low(score) {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// A stored score with this bound already answers the question the window asks.
    #[inline]
    pub fn is_answered_by(self, score: Score, bound: Bound) -> bool {
        if self.fails_high(score) {
            bound.is_at_least()
        } else if self.fails_low(score) {
            bound.is_at_most()
        } else {
            bound == Bound::Exact
        }
    }

    /// Distance between the edges.
    #[inline]
    pub fn width(self) -> i32 {
        self.beta - self.alpha
    }
}

/// The opponent's view of the same window.
impl Neg for Window {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cp(value: i32) -> Score {
        Score::centipawns(value)
    }

    #[test]
    fn a_null_window_turned_round_still_asks_the_same_question() {
        let window = Window::new(cp(10), cp(50));
        assert_eq!(-window.null(), Window::new(cp(-11), cp(-10)));
        assert!((-window.null()).is_null());
        assert_eq!(-(-window), window);
    }

    #[test]
    fn bounds_follow_the_edges() {
        let window = Window::new(cp(10), cp(50));
        for (score, bound) in [
            (9, Bound::Upper),
            (10, Bound::Upper),
            (11, Bound::Exact),
            (49, Bound::Exact),
            (50, Bound::Lower),
        ] {
            assert_eq!(window.bound(cp(score)), bound, "score {score}");
        }
    }

    #[test]
    fn a_stored_bound_answers_only_its_own_direction() {
        let window = Window::new(cp(10), cp(50));
        assert!(window.is_answered_by(cp(60), Bound::Lower));
        assert!(!window.is_answered_by(cp(60), Bound::Upper));
        assert!(window.is_answered_by(cp(0), Bound::Upper));
        assert!(!window.is_answered_by(cp(0), Bound::Lower));
        assert!(!window.is_answered_by(cp(30), Bound::Lower));
        assert!(window.is_answered_by(cp(30), Bound::Exact));
    }
}
