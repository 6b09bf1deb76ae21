//! What the model is told about the player and the clock.

use std::fmt;

/// A rating. The training data have 600 to 3000; the model clamps what lies beyond.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rating(u16);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatingError {
    pub found: i64,
}

impl Rating {
    pub const LOWEST: Rating = Rating(100);
    pub const HIGHEST: Rating = Rating(4000);

    pub fn new(points: impl Into<i64>) -> Result<Rating, RatingError> {
        let found = points.into();
        u16::try_from(found)
            .ok()
            .map(Rating)
            .filter(|rating| (Rating::LOWEST..=Rating::HIGHEST).contains(rating))
            .ok_or(RatingError { found })
    }

    pub const fn points(self) -> u16 {
        self.0
    }
}

impl fmt::Display for RatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (Rating::LOWEST.0, Rating::HIGHEST.0);
        write!(f, "rating {}: expected {low} to {high}", self.found)
    }
}

impl std::error::Error for RatingError {}

/// The rating scale: the same player has different numbers at different places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    Lichess,
    Fics,
    /// Over the board.
    Fide,
    /// Chess.com and other sites, mixed.
    Mixed,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeControl {
    pub base_seconds: f32,
    pub increment_seconds: f32,
}

/// Seconds left when the player to move begins to think.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clocks {
    pub own_seconds: f32,
    pub opponent_seconds: f32,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Circumstances {
    pub rating: Rating,
    pub scale: Scale,
    pub opponent: Option<Rating>,
    pub time_control: Option<TimeControl>,
    pub clocks: Option<Clocks>,
}

impl Circumstances {
    /// A player of this rating, nothing else known. What the game tells beside it makes the prediction better
    /// (`human-study shown`).
    pub const fn new(rating: Rating, scale: Scale) -> Circumstances {
        Circumstances { rating, scale, opponent: None, time_control: None, clocks: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_ratings_are_refused_with_the_range() {
        for points in [-5, 0, 99, 4001, 9000, 70000] {
            let error = Rating::new(points).unwrap_err();
            assert_eq!(error.to_string(), format!("rating {points}: expected 100 to 4000"));
        }
        assert_eq!(Rating::new(1500).unwrap().points(), 1500);
    }
}
