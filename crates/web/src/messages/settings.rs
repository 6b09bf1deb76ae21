//! How a game or an analysis is set up.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SideChoice {
    White,
    Black,
    Random,
}

/// The opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opponent {
    /// A rating, or `None` for full strength.
    pub level: Option<u16>,
    /// Settings of the opponent by name, of those the server listed.
    #[serde(default)]
    pub options: Vec<(String, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClockSettings {
    pub seconds: u32,
    pub increment: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Start {
    Standard,
    /// An arrangement by its number, or `None` for any.
    Chess960 {
        number: Option<u16>,
    },
    /// A position, and perhaps moves from it (a game to go on with).
    Position {
        fen: Option<String>,
        moves: Vec<String>,
    },
}

/// The piece that the engine plays without (odds).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Odds {
    None,
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameSettings {
    pub side: SideChoice,
    pub opponent: Opponent,
    /// The player's clock; `None` plays without.
    pub clock: Option<ClockSettings>,
    /// The engine's, when it differs.
    pub engine_clock: Option<ClockSettings>,
    pub start: Start,
    pub odds: Odds,
    /// The engine delays its moves as a person would.
    pub natural: bool,
    /// The engine ponders.
    pub ponder: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnalysisSettings {
    /// An engine of the server's list in place of the own one.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    pub lines: u8,
    pub threads: u16,
    pub hash_megabytes: u32,
    /// Other settings by name, of those the server listed: a scheduler, a variant of the search.
    #[serde(default)]
    pub options: Vec<(String, String)>,
}
