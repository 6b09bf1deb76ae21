//! A game as the archive keeps it, wherever that is.

use crate::messages::{Clocks, GameSettings};
use serde::{Deserialize, Serialize};

/// A game as it is saved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    pub settings: GameSettings,
    pub white_is_player: bool,
    pub white: String,
    pub black: String,
    pub start: String,
    pub chess960: bool,
    /// In coordinates, separated by blanks.
    pub moves: String,
    pub clocks: Option<Clocks>,
    pub opening: Option<String>,
    /// `*` while the game is running.
    pub result: String,
    pub reason: String,
    pub last_fen: String,
}

/// A saved game with its number and date.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ArchivedGame {
    pub id: u32,
    pub created: String,
    pub record: GameRecord,
}
