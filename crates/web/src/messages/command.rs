//! Commands of the page.

use super::{AnalysisSettings, GameSettings, Line, Slot};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    NewGame {
        settings: GameSettings,
    },
    /// Opens a saved game, to continue or to view it.
    OpenGame {
        id: u32,
    },
    /// A move in either notation; `ply` is how many were played before it, so that a late message does nothing.
    Move {
        text: String,
        ply: u32,
    },
    TakeBack,
    Resign,
    OfferDraw,
    /// The player takes the other side of the present game.
    SwitchSides,
    Hint,
    LeaveGame,
    ListGames {
        search: String,
    },
    DeleteGame {
        id: u32,
    },
    ExportGame {
        id: u32,
    },

    /// Asks for the positions of a line, from the one after this many moves on.
    Describe {
        request: u32,
        line: Line,
        from: u32,
    },
    /// Starts an infinite analysis, or moves it to another position.
    Analyse {
        slot: Slot,
        line: Line,
        settings: AnalysisSettings,
        /// Shows the threat: the best move of the other side if it were to move.
        threat: bool,
    },
    StopAnalysis {
        slot: Slot,
    },
    /// Reviews every move of a line, with so many thousand nodes each.
    Review {
        line: Line,
        kilonodes: u32,
    },
    StopReview,
    /// The moves that people of this rating play at the end of a line.
    People {
        line: Line,
        rating: u16,
    },
    /// The moves played at the end of a line: by people of every rating, and in the saved games.
    Explore {
        line: Line,
    },
    /// Asks the coach for a report on a line, for players of this rating.
    Coach {
        line: Line,
        rating: u16,
        kilonodes: u32,
    },
    StopCoach,

    LaserNew {
        black: bool,
        milliseconds: u32,
        fen: Option<String>,
        /// Moves already played, when a game continues after a reload.
        #[serde(default)]
        moves: Vec<String>,
    },
    LaserMove {
        text: String,
        ply: u32,
    },
    LaserTakeBack,
    LaserAnalyse {
        on: bool,
    },

    ListExperiments,
}
