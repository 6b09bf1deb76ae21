//! Aspiration windows: a window around the last score, widened when it fails (Marsland 1983).

use crate::score::Score;
use crate::window::Window;

/// A growing window around an expected score.
#[derive(Clone, Copy, Debug)]
pub struct Aspiration {
    window: Window,
    reach: i32,
}

/// Beyond this reach the edge is thrown open.
const OPEN: i32 = 700;

impl Aspiration {
    /// A window of `reach` on both sides of `expected`; all open for a proven result.
    pub fn around(expected: Score, reach: i32) -> Self {
        if !expected.is_heuristic() {
            return Self { window: Window::FULL, reach };
        }
        Self { window: Window::new(at_least(expected - reach), at_most(expected + reach)), reach }
    }

    /// The window to search with.
    pub fn window(&self) -> Window {
        self.window
    }

    /// The truth is below: lower alpha, and pull beta in, for the score is known to be small.
    pub fn fail_low(&mut self, score: Score) {
        let middle =
            Score::centipawns(i32::midpoint(self.window.alpha().value(), self.window.beta().value()));
        let beta = if self.window.width() > 2 && self.window.beta() < Score::INFINITY {
            middle.max(score + 1)
        } else {
            self.window.beta()
        };
        self.window = Window::new(self.edge(score, -1), beta);
        self.grow();
    }

    /// The truth is above: raise beta.
    pub fn fail_high(&mut self, score: Score) {
        self.window = Window::new(self.window.alpha(), self.edge(score, 1));
        self.grow();
    }

    fn edge(&self, score: Score, sign: i32) -> Score {
        if self.reach > OPEN || !score.is_heuristic() {
            if sign > 0 { Score::INFINITY } else { -Score::INFINITY }
        } else if sign > 0 {
            at_most(score + self.reach)
        } else {
            at_least(score - self.reach)
        }
    }

    fn grow(&mut self) {
        self.reach += self.reach / 2 + 2;
    }
}

fn at_least(score: Score) -> Score {
    score.max(-Score::INFINITY)
}

fn at_most(score: Score) -> Score {
    score.min(Score::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the true score, repeated widening reaches it.
    #[test]
    fn widening_always_ends_with_the_truth_inside() {
        for expected in [-2000, -30, 0, 15, 900, 30_000] {
            for truth in [
                Score::centipawns(0),
                Score::centipawns(-700),
                Score::centipawns(1234),
                Score::mate_in(7),
                Score::mated_in(2),
                Score::table_win(3),
            ] {
                let mut aspiration = Aspiration::around(Score::centipawns(expected), 12);
                let mut tries = 0;
                while !aspiration.window().contains(truth) {
                    let window = aspiration.window();
                    // A fail-hard search reports the edge: the worst case for convergence.
                    if window.fails_high(truth) {
                        aspiration.fail_high(window.beta());
                    } else {
                        aspiration.fail_low(window.alpha());
                    }
                    tries += 1;
                    assert!(tries < 40, "expected {expected}, truth {truth:?}: {window:?}");
                }
            }
        }
    }
}
