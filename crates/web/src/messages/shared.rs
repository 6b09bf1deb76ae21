//! Types that commands and events share.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    White,
    Black,
}

impl From<chess::Color> for Side {
    fn from(color: chess::Color) -> Side {
        if color.is_white() { Side::White } else { Side::Black }
    }
}

impl From<Side> for chess::Color {
    fn from(side: Side) -> chess::Color {
        match side {
            Side::White => chess::Color::White,
            Side::Black => chess::Color::Black,
        }
    }
}

/// Which of the two engines of the analysis page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Slot {
    First,
    Second,
}

impl Slot {
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Moves from a start position, in coordinates; `0000` is a null move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Line {
    /// `None` is the standard start position.
    pub start: Option<String>,
    pub moves: Vec<String>,
}

/// One position of a game or an analysis, with all the page needs to show it and to move from it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Node {
    /// Index of the position before, in the list this node is part of; `None` for the start.
    pub parent: Option<u32>,
    /// The continuation of its line; a variation otherwise.
    pub main: bool,
    /// Half-moves since the start of the game, as the move number counts them.
    pub ply: u32,
    pub fen: String,
    pub turn: Side,
    pub check: bool,
    /// The move that led here, in coordinates; castling is king takes rook.
    pub uci: Option<String>,
    pub san: Option<String>,
    /// Where the moved piece started and ended, to be shown as the last move.
    pub from_to: Option<[String; 2]>,
    pub capture: bool,
    /// Legal destinations, by starting square: `e2` -> `e3e4`.
    pub dests: BTreeMap<String, String>,
    /// Name of the opening, where one is known for this very position.
    pub opening: Option<String>,
    /// How the game ends here, if it does.
    pub over: Option<String>,
    /// What a PGN says about the move, each comment whole: `[%clk ...]` and other commands included.
    pub comments: Vec<String>,
    /// Comments before the move; only the first move of a variation has such.
    pub comments_before: Vec<String>,
    /// Numeric Annotation Glyphs (NAG): 1 is `!`.
    pub nags: Vec<u8>,
}

/// A game of a PGN file, with everything the file says.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenedGame {
    pub tags: Vec<(String, String)>,
    pub result: String,
    /// The start, the main line and the variations; parents come before children. A null move has the uci `0000`.
    pub nodes: Vec<Node>,
    /// Why the rest of the game cannot be read, if it cannot.
    pub fault: Option<String>,
}

/// A puzzle of the trainer.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PuzzleFacts {
    /// The same for the same puzzle on every visit.
    pub id: String,
    pub fen: String,
    /// The solver's moves and the replies between them, in coordinates.
    pub solution: Vec<String>,
    pub rating: u16,
    pub themes: Vec<String>,
}

/// A study in the list of studies.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StudySummary {
    pub id: u32,
    pub name: String,
    pub chapters: u32,
    /// When it was last saved, in seconds since 1970.
    pub saved: f64,
}

/// A study: games of one PGN text, each a chapter.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StudyView {
    pub id: u32,
    /// Of the text as saved; who saves names the revision the change was made to.
    pub revision: u32,
    pub chapters: Vec<OpenedGame>,
}

/// The value of a position, from White's side.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
pub enum Worth {
    Centipawns(i32),
    /// Moves to mate; negative when Black mates, 0 when mate is on the board.
    Mate(i32),
    /// Found in the endgame tablebases: 1 White wins, -1 Black wins.
    Table(i32),
}

/// Milliseconds left on each clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Clocks {
    pub white: u32,
    pub black: u32,
}

/// How much a move gave away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Label {
    Inaccuracy,
    Mistake,
    Blunder,
}
