//! Adjudication: when a self-play game ends before the rules end it.

use crate::game::{Ending, GameResult, MATE_SCORES};
use chess::Color;

/// The numbers of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Centipawns that decide, seen by both sides for so many plies in a row.
    pub win_score: i16,
    pub win_plies: u32,
    /// Centipawns that count as equal, so many plies in a row, not before this ply.
    pub draw_score: i16,
    pub draw_plies: u32,
    pub draw_from: u32,
    /// A draw after so many plies.
    pub longest: u32,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { win_score: 1200, win_plies: 5, draw_score: 8, draw_plies: 12, draw_from: 70, longest: 400 }
    }
}

/// Counts the scores of one game.
pub struct Adjudicator {
    rules: Rules,
    ply: u32,
    level: u32,
    /// Who has been winning, and for how many plies.
    winning: Option<(Color, u32)>,
}

impl Adjudicator {
    pub const fn new(rules: Rules) -> Adjudicator {
        Adjudicator { rules, ply: 0, level: 0, winning: None }
    }

    /// Takes the next score, from the side that was to move.
    pub fn ruling(&mut self, turn: Color, score: i16) -> Option<(GameResult, Ending)> {
        let rules = &self.rules;
        self.ply += 1;
        self.level = if score.abs() <= rules.draw_score { self.level + 1 } else { 0 };
        self.winning = (score.abs() >= rules.win_score).then(|| {
            let side = if score > 0 { turn } else { !turn };
            match self.winning {
                Some((same, plies)) if same == side => (side, plies + 1),
                _ => (side, 1),
            }
        });
        if let Some((side, plies)) = self.winning {
            // A mate seen by both needs no more proof.
            let enough = if score.abs() >= MATE_SCORES { 2 } else { rules.win_plies };
            if plies >= enough {
                return Some((GameResult::won_by(side), Ending::Decided));
            }
        }
        if self.ply >= rules.draw_from && self.level >= rules.draw_plies {
            return Some((GameResult::Draw, Ending::Level));
        }
        (self.ply >= rules.longest).then_some((GameResult::Draw, Ending::Length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ply of the ruling when White sees `scores` (Black the opposite), and the ruling.
    fn ruled(scores: impl IntoIterator<Item = i16>) -> Option<(usize, GameResult, Ending)> {
        let mut adjudicator = Adjudicator::new(Rules::default());
        scores.into_iter().enumerate().find_map(|(i, white)| {
            let (turn, score) = if i % 2 == 0 { (Color::White, white) } else { (Color::Black, -white) };
            adjudicator.ruling(turn, score).map(|(result, ending)| (i + 1, result, ending))
        })
    }

    #[test]
    fn both_must_agree_who_wins() {
        assert_eq!(ruled([1300; 9]), Some((5, GameResult::WhiteWon, Ending::Decided)));
        assert_eq!(ruled([-1300; 9]), Some((5, GameResult::BlackWon, Ending::Decided)));
        assert_eq!(ruled([1300, 1300, 1100, 1300, 1300, 1300, 1300]), None);
        assert_eq!(ruled([1300, -1300].repeat(5)), None);
        assert_eq!(ruled([31_990, 31_990]), Some((2, GameResult::WhiteWon, Ending::Decided)));
    }

    #[test]
    fn draws_take_a_while() {
        assert_eq!(ruled([0; 200]), Some((70, GameResult::Draw, Ending::Level)));
        let late = std::iter::repeat_n(50, 65).chain(std::iter::repeat_n(3, 30));
        assert_eq!(ruled(late), Some((77, GameResult::Draw, Ending::Level)));
        assert_eq!(ruled([50; 500]), Some((400, GameResult::Draw, Ending::Length)));
    }
}
