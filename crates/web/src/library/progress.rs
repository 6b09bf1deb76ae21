//! Progress over time: the reviews of many games, summed up.

use crate::messages::{OwnGame, OwnProgress, PhaseErrors, ProgressPoint, ThemeErrors};
use coach::summary::Phase;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Openings and themes that are listed.
const LISTED: usize = 10;

/// What a review of a game leaves behind.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Reviewed {
    pub accuracy: Option<f64>,
    /// The rating the player's moves look like: the lower end of an 80 % interval, the middle, the upper end.
    pub rating: Option<[f64; 3]>,
    /// By [`Phase::ALL`]: moves, errors, expected points lost.
    pub phases: [(u32, u32, f64); Phase::ALL.len()],
    pub themes: Vec<String>,
}

/// From the oldest game to the latest.
pub fn sum_up(games: impl Iterator<Item = (OwnGame, Reviewed)>) -> OwnProgress {
    let mut points = Vec::new();
    let mut phases = [(0, 0, 0.0); Phase::ALL.len()];
    let mut openings: BTreeMap<String, (u32, u32, f64)> = BTreeMap::new();
    let mut themes: BTreeMap<String, u32> = BTreeMap::new();
    let add = |sum: &mut (u32, u32, f64), part: &(u32, u32, f64)| {
        *sum = (sum.0 + part.0, sum.1 + part.1, sum.2 + part.2);
    };
    for (game, review) in games {
        let opening = game.opening.as_deref().map(family).unwrap_or_default();
        for (sum, part) in phases.iter_mut().zip(&review.phases) {
            add(sum, part);
            if !opening.is_empty() {
                add(openings.entry(opening.clone()).or_default(), part);
            }
        }
        for theme in &review.themes {
            *themes.entry(theme.clone()).or_default() += 1;
        }
        let own = if game.player_is_white == Some(true) { game.white_elo } else { game.black_elo };
        points.push(ProgressPoint {
            id: game.id,
            date: game.date,
            accuracy: review.accuracy,
            rating: review.rating,
            site_rating: own,
        });
    }
    points.reverse();
    let described =
        |(name, (moves, errors, loss)): (String, (u32, u32, f64))| PhaseErrors { name, moves, errors, loss };
    let mut openings: Vec<PhaseErrors> = openings.into_iter().map(described).collect();
    openings.sort_by_key(|opening| std::cmp::Reverse(opening.moves));
    openings.truncate(LISTED);
    let mut themes: Vec<ThemeErrors> =
        themes.into_iter().map(|(name, errors)| ThemeErrors { name, errors }).collect();
    themes.sort_by_key(|theme| std::cmp::Reverse(theme.errors));
    themes.truncate(LISTED);
    let phases = Phase::ALL.iter().map(|phase| phase.name().to_string()).zip(phases).map(described).collect();
    OwnProgress { points, phases, openings, themes }
}

/// `C60 Ruy Lopez: Berlin Defense` is a Ruy Lopez.
fn family(opening: &str) -> String {
    let name = opening.split_once(' ').map_or(opening, |(_, name)| name);
    name.split([':', ',']).next().unwrap_or(name).trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reviews_are_summed_up_by_phase_opening_and_theme() {
        let game = |id: u32, date: &str, opening: &str| OwnGame {
            id,
            date: date.to_string(),
            opening: Some(opening.to_string()),
            player_is_white: Some(true),
            white_elo: Some(1500 + id),
            ..OwnGame::default()
        };
        let review = Reviewed {
            accuracy: Some(90.0),
            rating: None,
            phases: [(10, 1, 0.2), (20, 2, 0.5), (0, 0, 0.0)],
            themes: vec!["fork".to_string()],
        };
        let games = [
            (game(2, "2026.02.01", "C60 Ruy Lopez: Berlin Defense"), review.clone()),
            (game(1, "2026.01.01", "C60 Ruy Lopez"), review),
        ];
        let sum = sum_up(games.into_iter());
        assert_eq!(
            sum.points.iter().map(|point| point.site_rating).collect::<Vec<_>>(),
            [Some(1501), Some(1502)]
        );
        assert_eq!((sum.phases[1].moves, sum.phases[1].errors, sum.themes[0].errors), (40, 4, 2));
        assert_eq!(
            (sum.openings.len(), sum.openings[0].name.as_str(), sum.openings[0].moves),
            (1, "Ruy Lopez", 60)
        );
    }
}
