//! The win, draw and loss (WDL) model: chances that a score stands for.
//!
//! Two logistic curves, one for winning and one for losing, mirror images of each other; what they leave is the chance
//! of a draw. The same score is worth less late in a game, when there is less left to win with, so the curves depend on the
//! number of the move. Their four numbers were fitted by maximum likelihood to scores and results of our own games
//! (`results/eval/outcome.md`).

use crate::centipawns::Centipawns;

/// A number that changes steadily with the move.
struct Trend {
    /// At move 32.
    middle: f64,
    /// What 32 moves add.
    later: f64,
}

impl Trend {
    fn at(&self, move_number: u16) -> f64 {
        let move_number = move_number.clamp(FIRST_MOVE, LAST_MOVE);
        self.middle + self.later * (f64::from(move_number) - 32.0) / 32.0
    }
}

/// The score at which winning is as likely as not; at move 32 a hundred, because that is what scores are shown in
/// ([`crate::Evaluation::shown`]).
const EVEN: Trend = Trend { middle: 100.0, later: 69.0 };
/// Centipawns that multiply the odds of winning by e.
const SPREAD: Trend = Trend { middle: 84.0, later: -13.0 };
/// Before and after these moves nothing changes any more: earlier ones belong to the opening book of the games it was fitted to, later ones are few.
const FIRST_MOVE: u16 = 20;
const LAST_MOVE: u16 = 96;

/// Chances in permille; they add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chances {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

impl Chances {
    pub const WIN: Chances = Chances { win: 1000, draw: 0, loss: 0 };
    pub const DRAW: Chances = Chances { win: 0, draw: 1000, loss: 0 };
    pub const LOSS: Chances = Chances { win: 0, draw: 0, loss: 1000 };

    /// The chances of the side whose score, as it is shown, this is at a move of this number.
    pub fn of(centipawns: Centipawns, move_number: u16) -> Chances {
        let (even, spread) = (EVEN.at(move_number), SPREAD.at(move_number));
        // Rounded down, so that two of them never exceed a thousand.
        let permille = |score: f64| (1000.0 / (1.0 + ((even - score) / spread).exp())) as u32;
        let score = f64::from(centipawns.value());
        let (win, loss) = (permille(score), permille(-score));
        Chances { win, draw: 1000 - win - loss, loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_rise_and_mirror() {
        for move_number in [0, 1, 20, 32, 60, 500] {
            let mut last = 0;
            for score in -3000..=3000 {
                let chances = Chances::of(Centipawns::new(score), move_number);
                assert_eq!(chances.win + chances.draw + chances.loss, 1000);
                assert!(chances.win >= last);
                last = chances.win;
                let mirrored = Chances::of(Centipawns::new(-score), move_number);
                assert_eq!((chances.win, chances.loss), (mirrored.loss, mirrored.win));
            }
            assert!(Chances::of(Centipawns::new(3000), move_number).win > 990);
        }
        assert_eq!(Chances::of(Centipawns::new(EVEN.middle as i32), 32).win, 500);
    }
}
