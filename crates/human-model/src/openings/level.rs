//! The levels that are counted apart.

use crate::reply::{Rating, Scale};

/// Online and over-the-board points mean different things, so they never share a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Level {
    OnlineBelow1200 = 0,
    OnlineBelow1600 = 1,
    OnlineBelow2000 = 2,
    OnlineFrom2000 = 3,
    FideBelow2000 = 4,
    FideBelow2400 = 5,
    FideFrom2400 = 6,
}

impl Level {
    pub const COUNT: usize = 7;

    pub const fn of(rating: Rating, scale: Scale) -> Level {
        match (scale, rating.points()) {
            (Scale::Fide, ..2000) => Level::FideBelow2000,
            (Scale::Fide, ..2400) => Level::FideBelow2400,
            (Scale::Fide, _) => Level::FideFrom2400,
            (_, ..1200) => Level::OnlineBelow1200,
            (_, ..1600) => Level::OnlineBelow1600,
            (_, ..2000) => Level::OnlineBelow2000,
            _ => Level::OnlineFrom2000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_follow_points_within_a_scale() {
        for (points, scale, expected) in [
            (1199, Scale::Lichess, Level::OnlineBelow1200),
            (1200, Scale::Fics, Level::OnlineBelow1600),
            (1999, Scale::Mixed, Level::OnlineBelow2000),
            (2700, Scale::Lichess, Level::OnlineFrom2000),
            (1500, Scale::Fide, Level::FideBelow2000),
            (2399, Scale::Fide, Level::FideBelow2400),
            (2400, Scale::Fide, Level::FideFrom2400),
        ] {
            assert_eq!(Level::of(Rating::new(points).unwrap(), scale), expected, "{points} {scale:?}");
        }
    }
}
