//! The level of a human-like player and the parameters that follow from it.
//!
//! The parameters are set so that the player loses about as much a move as people of that rating do in the same positions
//! (`human-study moves` measures both; `results/human`).

use human_model::reply::Rating;
use std::fmt;

/// Points on the Lichess scale, 600 to 2800.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u16);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelError {
    pub found: i64,
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level {}: expected {} to {}", self.found, Level::LOWEST.0, Level::HIGHEST.0)
    }
}

impl std::error::Error for LevelError {}

impl Level {
    pub const LOWEST: Level = Level(600);
    pub const HIGHEST: Level = Level(2800);

    pub fn new(points: impl Into<i64>) -> Result<Level, LevelError> {
        let found = points.into();
        let inside = (i64::from(Level::LOWEST.0)..=i64::from(Level::HIGHEST.0)).contains(&found);
        if inside { Ok(Level(found as u16)) } else { Err(LevelError { found }) }
    }

    /// The nearest level there is.
    pub fn nearest(points: f64) -> Level {
        Level(points.clamp(f64::from(Level::LOWEST.0), f64::from(Level::HIGHEST.0)) as u16)
    }

    pub const fn points(self) -> u16 {
        self.0
    }

    pub fn rating(self) -> Rating {
        Rating::new(self.0).unwrap_or(Rating::LOWEST)
    }

    /// 0 at the lowest level, 1 at the highest.
    fn height(self) -> f64 {
        f64::from(self.0 - Level::LOWEST.0) / f64::from(Level::HIGHEST.0 - Level::LOWEST.0)
    }

    /// Nodes of a search: stands for what a person of this strength calculates.
    pub fn nodes(self) -> u64 {
        (1500.0 * (self.height() * 5.0).exp2()) as u64
    }

    /// The weight of a move falls by the factor exp(-caution) for each expected point it loses, in addition to the reply
    /// model, which does not calculate.
    pub fn caution(self) -> f64 {
        0.3 + 0.5 * self.height() + 20.0 * self.height().powi(4)
    }

    /// The largest loss in expected points that a player of this level would still make in one move.
    pub fn worst_loss(self) -> f64 {
        1.0 - 0.82 * self.height()
    }

    /// The largest loss in centipawns, whatever the score: nobody of this level drops more in one move, even when it
    /// no longer matters. `None` where people do.
    pub fn worst_drop(self) -> Option<i32> {
        (self.0 >= 1400).then(|| (1000.0 - 1350.0 * (self.height() - 0.36)).max(250.0) as i32)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_levels_see_more_and_give_less() {
        let levels: Vec<Level> = (6..=28).map(|hundred| Level::new(hundred * 100).unwrap()).collect();
        for pair in levels.windows(2) {
            let [weak, strong] = [pair[0], pair[1]];
            assert!(weak.nodes() < strong.nodes() && weak.caution() < strong.caution());
            assert!(weak.worst_loss() > strong.worst_loss());
            assert!(weak.worst_drop().unwrap_or(i32::MAX) >= strong.worst_drop().unwrap_or(i32::MAX));
        }
        // A queen is worth more than an 1800 gives away in one move.
        assert!(Level::new(1800).unwrap().worst_drop().unwrap() < 850);
    }

    #[test]
    fn levels_outside_are_refused_by_name() {
        for points in [-1, 0, 599, 2801, 9000] {
            let text = Level::new(points).unwrap_err().to_string();
            assert_eq!(text, format!("level {points}: expected 600 to 2800"));
        }
        assert_eq!(Level::nearest(9000.0), Level::HIGHEST);
        assert_eq!(Level::nearest(-4.0), Level::LOWEST);
    }
}
