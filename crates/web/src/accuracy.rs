//! From scores to words: chances, labels and accuracy, by the formulas Lichess publishes ("Lichess accuracy metric"),
//! so that figures can be compared.

use crate::messages::{Label, Worth};
use human_model::expected::Expected;

/// White's chances in percent.
pub fn win_percent(worth: Worth) -> f64 {
    match worth {
        Worth::Centipawns(value) => {
            let value = f64::from(value.clamp(-1000, 1000));
            50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * value).exp()) - 1.0)
        }
        // Mate on the board is 0 and carries no sign; whoever describes such a position says who won.
        Worth::Mate(moves) | Worth::Table(moves) => {
            if moves > 0 {
                100.0
            } else {
                0.0
            }
        }
    }
}

/// What a loss of chances is called.
pub fn label(loss: f64) -> Option<Label> {
    match loss {
        loss if loss >= 15.0 => Some(Label::Blunder),
        loss if loss >= 10.0 => Some(Label::Mistake),
        loss if loss >= 5.0 => Some(Label::Inaccuracy),
        _ => None,
    }
}

/// Of one move, from the mover's chances before and after it, in percent.
pub fn move_accuracy(before: f64, after: f64) -> f64 {
    coach::move_accuracy(points(before), points(after))
}

/// Of a side over a game. `wins` are White's chances at the start and after each move; `white_first` says whether White made
/// the first move. Quiet stretches count less than tense ones, and one bad move is felt.
pub fn game_accuracy(wins: &[f64], white: bool, white_first: bool) -> Option<f64> {
    let course: Vec<Expected> = wins.iter().copied().map(points).collect();
    coach::game_accuracy(&course, white_first, white)
}

fn points(percent: f64) -> Expected {
    Expected::new(percent / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_by_the_published_curve() {
        for (worth, percent) in [
            (Worth::Centipawns(0), 50.0),
            (Worth::Centipawns(100), 59.1),
            (Worth::Centipawns(-300), 24.9),
            (Worth::Centipawns(1000), 97.5),
            (Worth::Mate(3), 100.0),
            (Worth::Mate(-2), 0.0),
        ] {
            assert!((win_percent(worth) - percent).abs() < 0.06, "{worth:?}: {}", win_percent(worth));
        }
    }

    #[test]
    fn labels_at_five_ten_and_fifteen_points() {
        assert_eq!(label(4.9), None);
        assert_eq!(label(5.0), Some(Label::Inaccuracy));
        assert_eq!(label(10.0), Some(Label::Mistake));
        assert_eq!(label(15.0), Some(Label::Blunder));
        assert_eq!(label(-20.0), None);
    }

    #[test]
    fn a_move_that_keeps_everything_is_perfect() {
        assert_eq!(move_accuracy(60.0, 60.0), 100.0);
        assert_eq!(move_accuracy(60.0, 70.0), 100.0);
        // The published curve: losing ten points leaves about 64 percent (65.6 with the point added).
        assert!((move_accuracy(60.0, 50.0) - 64.6).abs() < 1.1, "{}", move_accuracy(60.0, 50.0));
        assert_eq!(move_accuracy(100.0, 0.0), 0.0);
    }

    #[test]
    fn the_side_that_errs_pays() {
        // White throws the game away on its second move, Black plays well.
        let wins = [50.0, 50.0, 50.0, 10.0, 10.0, 10.0, 10.0];
        let white = game_accuracy(&wins, true, true).unwrap();
        let black = game_accuracy(&wins, false, true).unwrap();
        assert!(white < 60.0 && black > 99.0, "{white} {black}");
        // The same game with colours reversed, Black to move first.
        let reversed = wins.map(|win| 100.0 - win);
        let mirrored = game_accuracy(&reversed, false, false).unwrap();
        assert!((mirrored - white).abs() < 1e-9, "{mirrored} {white}");
        assert_eq!(game_accuracy(&[50.0], true, true), None);
    }
}
