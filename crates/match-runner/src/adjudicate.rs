//! Ending games that are decided: by the engines' own scores or by length.

use chess::Color;

use protocol::client::info::ReportedScore;

/// A player resigns after it has seen itself this far behind for this many of its moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    pub moves: u32,
    /// Centipawns.
    pub score: i32,
    /// The opponent must agree with its own scores.
    pub both: bool,
}

/// A draw after both players have seen equality for this many moves each in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Not before this move of the game.
    pub from: u32,
    pub moves: u32,
    /// Centipawns.
    pub score: i32,
}

/// Which games are ended early; none unless asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdjudicationRules {
    pub resign: Option<ResignRule>,
    pub draw: Option<DrawRule>,
    /// A draw after this many moves, opening included.
    pub max_moves: Option<u32>,
}

/// How a game was ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    Resigned { loser: Color },
    Drawn,
    TooLong,
}

/// Counts the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: AdjudicationRules,
    /// Moves in a row each side saw itself lost, and saw itself won.
    lost: [u32; 2],
    won: [u32; 2],
    /// Plies in a row with an equal score.
    level: u32,
}

impl Adjudicator {
    /// A counter for a new game.
    pub fn new(rules: AdjudicationRules) -> Self {
        Self { rules, lost: [0; 2], won: [0; 2], level: 0 }
    }

    /// Takes the mover's score; `halfmove_clock` and `move_number` are of the position after the move.
    pub fn after_move(
        &mut self,
        mover: Color,
        score: Option<ReportedScore>,
        move_number: u32,
        halfmove_clock: u32,
    ) -> Option<Ruling> {
        let side = usize::from(mover == Color::Black);
        let ordinal = score.map(ReportedScore::ordinal);
        if let Some(rule) = self.rules.resign {
            let count = |kept: &mut u32, met: bool| *kept = if met { *kept + 1 } else { 0 };
            count(&mut self.lost[side], ordinal.is_some_and(|score| score <= -rule.score));
            count(&mut self.won[side], ordinal.is_some_and(|score| score >= rule.score));
            let given_up = |side: usize| self.lost[side] >= rule.moves;
            let claimed = |side: usize| !rule.both || self.won[side] >= rule.moves;
            for (loser, color) in [(0, Color::White), (1, Color::Black)] {
                if given_up(loser) && claimed(1 - loser) {
                    return Some(Ruling::Resigned { loser: color });
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            // A capture or pawn move starts a new phase: equality has to be seen again.
            let level = ordinal.is_some_and(|score| score.abs() <= rule.score) && halfmove_clock > 0;
            self.level = if level { self.level + 1 } else { 0 };
            if move_number >= rule.from && self.level >= 2 * rule.moves {
                return Some(Ruling::Drawn);
            }
        }
        self.rules.max_moves.filter(|limit| move_number > *limit).map(|_| Ruling::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(rules: AdjudicationRules, scores: &[i32]) -> Option<(usize, Ruling)> {
        let mut judge = Adjudicator::new(rules);
        for (ply, score) in scores.iter().enumerate() {
            let mover = if ply % 2 == 0 { Color::White } else { Color::Black };
            let ruling =
                judge.after_move(mover, Some(ReportedScore::Centipawns(*score)), 1 + ply as u32 / 2, 5);
            if let Some(ruling) = ruling {
                return Some((ply, ruling));
            }
        }
        None
    }

    #[test]
    fn the_side_that_sees_itself_lost_resigns() {
        let rules = AdjudicationRules {
            resign: Some(ResignRule { moves: 2, score: 600, both: false }),
            ..AdjudicationRules::default()
        };
        assert_eq!(feed(rules, &[-700, 0, -700]), Some((2, Ruling::Resigned { loser: Color::White })));
        assert_eq!(feed(rules, &[-700, 0, -599, 0, -700]), None);
    }

    #[test]
    fn with_both_the_winner_has_to_agree() {
        let rules = AdjudicationRules {
            resign: Some(ResignRule { moves: 2, score: 600, both: true }),
            ..AdjudicationRules::default()
        };
        assert_eq!(feed(rules, &[-700, 0, -700, 0, -700]), None);
        assert_eq!(feed(rules, &[-700, 650, -700, 650]), Some((3, Ruling::Resigned { loser: Color::White })));
    }

    #[test]
    fn equality_for_long_enough_is_a_draw_but_not_too_early() {
        let rules = AdjudicationRules {
            draw: Some(DrawRule { from: 3, moves: 1, score: 10 }),
            ..AdjudicationRules::default()
        };
        assert_eq!(feed(rules, &[0, 0, 0, 0, 5, -5]), Some((4, Ruling::Drawn)));
        assert_eq!(feed(rules, &[0, 11, 0, 11, 0, 11, 0]), None);
        let mut judge = Adjudicator::new(rules);
        assert_eq!(judge.after_move(Color::White, Some(ReportedScore::Centipawns(0)), 9, 1), None);
        assert_eq!(
            judge.after_move(Color::Black, Some(ReportedScore::Centipawns(0)), 9, 0),
            None,
            "a capture begins anew"
        );
        assert_eq!(judge.after_move(Color::White, None, 9, 1), None, "no score, no equality");
    }

    #[test]
    fn long_games_end() {
        let rules = AdjudicationRules { max_moves: Some(2), ..AdjudicationRules::default() };
        assert_eq!(feed(rules, &[900, -900, 900, -900, 900]), Some((4, Ruling::TooLong)));
    }
}
