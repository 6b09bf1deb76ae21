//! Leiserchess for the page.

use super::{Side, Worth};
use serde::Serialize;

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LaserPiece {
    pub square: String,
    pub side: Side,
    pub king: bool,
    /// Quarter turns clockwise: a king looks north, east, south, west; a pawn's mirror north-west, north-east, ...
    pub quarters: u8,
}

/// A legal move, taken apart for clicking.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LaserMove {
    pub text: String,
    pub from: String,
    /// The enemy it changes places with first.
    pub via: Option<String>,
    pub to: String,
    /// `L`, `R` or `U`.
    pub turn: Option<String>,
}

/// A position, and the shot that led to it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LaserPly {
    pub text: Option<String>,
    pub pieces: Vec<LaserPiece>,
    /// Squares of the last shot, the firing king's first; empty before the first.
    pub beam: Vec<String>,
    /// The beam left the board: where it would have gone on, as files and ranks.
    pub exit: Option<[i8; 2]>,
    pub zapped: Option<LaserPiece>,
    pub fen: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LaserView {
    pub you: Side,
    pub turn: Side,
    pub plies: Vec<LaserPly>,
    pub moves: Vec<LaserMove>,
    /// `None` while the game is running.
    pub result: Option<String>,
    pub reason: Option<String>,
    pub thinking: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LaserLine {
    /// Plies played before the position searched.
    pub ply: u32,
    pub depth: u32,
    pub worth: Worth,
    pub nodes: f64,
    pub milliseconds: u32,
    pub moves: Vec<String>,
}
