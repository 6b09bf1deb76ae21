//! The player's own games: lists, filters, progress.

use serde::{Deserialize, Serialize};

/// Which games are wanted; every part that is set must fit.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default, deny_unknown_fields)]
pub struct OwnFilter {
    /// Anywhere in players, event, date or opening.
    pub words: String,
    pub opening: String,
    /// The player had White.
    pub white: Option<bool>,
    /// The player's result: 2 a win, 1 a draw, 0 a loss.
    pub half_points: Option<u32>,
    pub speed: Option<String>,
    /// Dates as in PGN: `2026.11.18`.
    pub from: Option<String>,
    pub to: Option<String>,
    /// A FEN that was reached.
    pub position: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnGame {
    pub id: u32,
    pub white: String,
    pub black: String,
    pub white_elo: Option<u32>,
    pub black_elo: Option<u32>,
    pub event: String,
    pub date: String,
    pub result: String,
    pub opening: Option<String>,
    pub speed: String,
    pub plies: u32,
    /// `None` when neither side is the player.
    pub player_is_white: Option<bool>,
    pub accuracy: Option<f64>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnGames {
    pub games: Vec<OwnGame>,
    /// Games that fit the filter, and in all.
    pub total: u32,
    pub all: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    pub names: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnImport {
    pub added: u32,
    pub known: u32,
    pub unreadable: u32,
    /// The most frequent names of the file.
    pub players: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnReviewing {
    pub running: bool,
    pub done: u32,
    pub total: u32,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProgressPoint {
    pub id: u32,
    pub date: String,
    pub accuracy: Option<f64>,
    /// The rating the moves look like: lower end of an 80 % interval, middle, upper end.
    pub rating: Option<[f64; 3]>,
    /// What the site says.
    pub site_rating: Option<u32>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PhaseErrors {
    pub name: String,
    pub moves: u32,
    pub errors: u32,
    /// Expected points lost in all.
    pub loss: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ThemeErrors {
    pub name: String,
    pub errors: u32,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnProgress {
    /// From the oldest game to the latest.
    pub points: Vec<ProgressPoint>,
    pub phases: Vec<PhaseErrors>,
    pub openings: Vec<PhaseErrors>,
    pub themes: Vec<ThemeErrors>,
}
