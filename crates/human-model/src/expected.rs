//! Expected points, the unit of every comparison of moves.
//!
//! A pawn decides an even game and changes little in a won one, while a share of a point means the same everywhere. The
//! conversion from centipawns is the curve that Lichess fitted to games of people.

use crate::shown_score::ShownScore;
use eval::Centipawns;
use kernel::Kind;
use std::fmt;

/// Points the mover can expect, from 0 to 1.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Expected(f64);

/// Lichess's slope: 0.368 points of log-odds a pawn.
const SLOPE: f64 = 0.003_682_08;

impl Expected {
    pub const LOST: Expected = Expected(0.0);
    pub const EVEN: Expected = Expected(0.5);
    pub const WON: Expected = Expected(1.0);

    /// Clamped to 0..=1; NaN counts as even.
    pub fn new(points: f64) -> Expected {
        if points.is_nan() { Expected::EVEN } else { Expected(points.clamp(0.0, 1.0)) }
    }

    pub fn of(score: ShownScore) -> Expected {
        match score.kind() {
            Kind::MateIn(_) | Kind::TableWin(_) => Expected::WON,
            Kind::MatedIn(_) | Kind::TableLoss(_) => Expected::LOST,
            Kind::Centipawns(value) => Expected::of_centipawns(Centipawns::new(value)),
        }
    }

    pub fn of_centipawns(value: Centipawns) -> Expected {
        Expected(1.0 / (1.0 + (-SLOPE * f64::from(value.value())).exp()))
    }

    pub const fn points(self) -> f64 {
        self.0
    }

    /// In a hundred, as people read it.
    pub fn percent(self) -> f64 {
        100.0 * self.0
    }

    /// The opponent's.
    pub fn other(self) -> Expected {
        Expected(1.0 - self.0)
    }

    /// What is given up by getting `less` instead; never negative.
    pub fn loss_to(self, less: Expected) -> f64 {
        (self.0 - less.0).max(0.0)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} %", self.percent())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::Score;

    #[test]
    fn the_published_curve() {
        // Lichess: Win% = 50 + 50 (2 / (1 + exp(-0.00368208 cp)) - 1).
        for (centipawns, percent) in [(0, 50.0), (100, 59.10), (-100, 40.90), (300, 75.11), (1000, 97.55)] {
            let found = Expected::of_centipawns(Centipawns::new(centipawns)).percent();
            assert!((found - percent).abs() < 0.01, "{centipawns}: {found}");
        }
        assert_eq!(Expected::of(ShownScore::mate_in(3)), Expected::WON);
        assert_eq!(Expected::of(ShownScore::mated_in(4)), Expected::LOST);
        let table_win = ShownScore::of(Score::table_win(2), &eval::Evaluation::default());
        assert_eq!(Expected::of(table_win), Expected::WON);
    }

    #[test]
    fn both_sides_share_one_point() {
        for centipawns in [-500, -1, 0, 77, 2000] {
            let mine = Expected::of_centipawns(Centipawns::new(centipawns));
            assert!((mine.points() + mine.other().points() - 1.0).abs() < 1e-12);
            assert!(
                (mine.other().points() - Expected::of_centipawns(Centipawns::new(-centipawns)).points())
                    .abs()
                    < 1e-12
            );
        }
        assert_eq!(Expected::EVEN.loss_to(Expected::WON), 0.0);
        assert_eq!(Expected::new(f64::NAN), Expected::EVEN);
    }
}
