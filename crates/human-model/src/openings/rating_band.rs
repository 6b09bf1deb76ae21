//! Rating bands that are counted separately.

use crate::reply::{Rating, Scale};

/// Online and over-the-board ratings are different scales, so they never share a band.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum RatingBand {
    OnlineBelow1200 = 0,
    OnlineBelow1600 = 1,
    OnlineBelow2000 = 2,
    OnlineFrom2000 = 3,
    FideBelow2000 = 4,
    FideBelow2400 = 5,
    FideFrom2400 = 6,
}

impl RatingBand {
    pub const COUNT: usize = 7;

    pub const fn of(rating: Rating, scale: Scale) -> RatingBand {
        match (scale, rating.points()) {
            (Scale::Fide, ..2000) => RatingBand::FideBelow2000,
            (Scale::Fide, ..2400) => RatingBand::FideBelow2400,
            (Scale::Fide, _) => RatingBand::FideFrom2400,
            (_, ..1200) => RatingBand::OnlineBelow1200,
            (_, ..1600) => RatingBand::OnlineBelow1600,
            (_, ..2000) => RatingBand::OnlineBelow2000,
            _ => RatingBand::OnlineFrom2000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_follow_points_within_a_scale() {
        for (points, scale, expected) in [
            (1199, Scale::Lichess, RatingBand::OnlineBelow1200),
            (1200, Scale::Fics, RatingBand::OnlineBelow1600),
            (1999, Scale::Mixed, RatingBand::OnlineBelow2000),
            (2700, Scale::Lichess, RatingBand::OnlineFrom2000),
            (1500, Scale::Fide, RatingBand::FideBelow2000),
            (2399, Scale::Fide, RatingBand::FideBelow2400),
            (2400, Scale::Fide, RatingBand::FideFrom2400),
        ] {
            assert_eq!(RatingBand::of(Rating::new(points).unwrap(), scale), expected, "{points} {scale:?}");
        }
    }
}
