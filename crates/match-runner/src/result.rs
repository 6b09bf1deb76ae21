//! The result of a game.

use chess::Color;
use stats::score::Outcome;

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    WhiteWins,
    BlackWins,
    Draw,
}

impl GameResult {
    /// White's points.
    pub const fn points(self) -> f64 {
        match self {
            Self::WhiteWins => 1.0,
            Self::BlackWins => 0.0,
            Self::Draw => 0.5,
        }
    }

    /// As PGN writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// Reads what [`Self::as_str`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::WhiteWins, Self::BlackWins, Self::Draw].into_iter().find(|result| result.as_str() == text)
    }

    /// The result for one side.
    pub fn for_side(self, side: Color) -> Outcome {
        match (self, side) {
            (Self::Draw, _) => Outcome::Draw,
            (Self::WhiteWins, Color::White) | (Self::BlackWins, Color::Black) => Outcome::Win,
            _ => Outcome::Loss,
        }
    }

    /// The result when this side has lost.
    pub fn lost_by(loser: Color) -> Self {
        if loser == Color::White { Self::BlackWins } else { Self::WhiteWins }
    }
}
