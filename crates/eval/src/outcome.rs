//! What a score promises: chances of win, draw and loss.
//!
//! Two logistic curves, one for winning and one for losing, mirror images of each other; what they leave is the chance
//! of a draw. Their two numbers were fitted by maximum likelihood to scores and results of our own games
//! (`results/eval/outcome.md`).

/// The score at which winning is as likely as not.
const EVEN: f64 = 111.0;
/// Centipawns that multiply the odds of winning by e.
const SPREAD: f64 = 102.0;

/// Chances in permille; they add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chances {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

impl Chances {
    pub const WIN: Chances = Chances { win: 1000, draw: 0, loss: 0 };
    pub const LOSS: Chances = Chances { win: 0, draw: 0, loss: 1000 };

    /// The chances of the side whose score this is.
    pub fn of(centipawns: i32) -> Chances {
        let score = f64::from(centipawns);
        let win = permille(score);
        let loss = permille(-score);
        Chances { win, draw: 1000 - win - loss, loss }
    }
}

/// Rounded down, so that two of them never exceed a thousand.
fn permille(score: f64) -> u32 {
    (1000.0 / (1.0 + ((EVEN - score) / SPREAD).exp())) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_rise_and_mirror() {
        let mut last = 0;
        for score in -3000..=3000 {
            let chances = Chances::of(score);
            assert_eq!(chances.win + chances.draw + chances.loss, 1000);
            assert!(chances.win >= last);
            last = chances.win;
            let mirrored = Chances::of(-score);
            assert_eq!((chances.win, chances.loss), (mirrored.loss, mirrored.win));
        }
        assert_eq!(Chances::of(EVEN as i32).win, 500);
        assert!(Chances::of(3000).win > 990);
    }
}
