//! Events of the server.

use super::{Clocks, GameSettings, Label, LaserLine, LaserView, Node, PuzzleFacts, Side, Slot, Worth};
use serde::Serialize;

/// An engine option that the page may set for the opponent or the analysis.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OptionFact {
    pub name: String,
    pub about: String,
    pub control: OptionControl,
    /// For the opponent in a game; otherwise for the analysis.
    pub opponent: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OptionControl {
    Check { default: bool },
    Number { default: i32, min: i32, max: i32 },
    Choice { default: String, values: Vec<String> },
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EngineFacts {
    pub version: String,
    pub level_min: u16,
    pub level_max: u16,
    pub threads_max: u16,
    pub hash_max_megabytes: u32,
    pub options: Vec<OptionFact>,
    /// Names of the engines that an analysis may use besides the own one.
    pub engines: Vec<String>,
}

/// Whose move it is, or how the game ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Status {
    YourMove,
    Thinking,
    Over { result: String, reason: String },
}

/// A game at the board.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameView {
    pub id: u32,
    pub settings: GameSettings,
    pub you: Side,
    pub opponent: String,
    pub chess960: bool,
    /// From the start to the present position.
    pub nodes: Vec<Node>,
    pub status: Status,
    pub clocks: Option<Clocks>,
    pub opening: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameSummary {
    pub id: u32,
    pub date: String,
    pub white: String,
    pub black: String,
    pub result: String,
    pub plies: u32,
    pub opening: Option<String>,
    pub fen: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnalysisLine {
    pub rank: u32,
    pub depth: u32,
    pub selective_depth: u32,
    pub worth: Worth,
    pub san: Vec<String>,
    pub uci: Vec<String>,
    /// The board after each move, for a look while hovering.
    pub fens: Vec<String>,
}

/// Counters of a parallel search so far.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Sharing {
    pub workers: u32,
    /// Split points offered to other workers.
    pub offers: f64,
    /// Times a worker joined a split point.
    pub takes: f64,
    /// Searches aborted because of a cutoff by another worker.
    pub aborts: f64,
    /// Times the owner of a split point waited for its helpers.
    pub waits: f64,
    /// Moves deferred because another worker was searching them.
    pub deferrals: f64,
    /// Share of the workers' time without work.
    pub idle: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewedMove {
    /// Of the position after the move; the first entry is the start.
    pub worth: Worth,
    /// White's chances in percent.
    pub win: f64,
    pub label: Option<Label>,
    /// What was better, in the position before the move.
    pub best: Option<String>,
    pub best_line: Vec<String>,
    pub accuracy: Option<f64>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SideReview {
    pub accuracy: Option<f64>,
    pub inaccuracies: u32,
    pub mistakes: u32,
    pub blunders: u32,
    /// Mean loss in centipawns.
    pub loss: Option<f64>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Review {
    pub total: u32,
    pub moves: Vec<ReviewedMove>,
    pub white: SideReview,
    pub black: SideReview,
    pub finished: bool,
}

/// A move people play, and how many do.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PeopleMove {
    pub san: String,
    pub uci: String,
    /// By the model, from 0 to 1.
    pub share: f64,
    /// Counted in real games of this opening; zero where none are known.
    pub games: u32,
}

/// A move of the opening explorer.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplorerMove {
    pub san: String,
    pub uci: String,
    /// Games by rating, in the order of [`Event::Explored`]'s `bands`.
    pub games: Vec<u32>,
    /// Of 100 games of each rating, how many White won and how many were drawn; none where there are too few.
    pub results: Vec<Option<[u8; 2]>>,
    pub own: OwnResults,
    /// Name of the opening after the move.
    pub opening: Option<String>,
}

/// Results of the player's saved games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnResults {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

/// The coach's comment on one move.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoachedMove {
    /// Half-moves played, this one included.
    pub ply: u32,
    /// Sentences.
    pub comment: Vec<String>,
    pub find_best: Option<f64>,
    pub play_this: Option<f64>,
    /// What was better and how it goes on, from the position before the move, in coordinates; empty where nothing was wrong.
    pub better: Vec<String>,
    /// The move and how it is punished, from the position before it.
    pub refutation: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoachReport {
    pub moves: Vec<CoachedMove>,
    /// The rating each side's moves look like: the lower end of an 80 % interval, the middle, the upper end. `None` when no
    /// move was counted.
    pub white: Option<[f64; 3]>,
    pub black: Option<[f64; 3]>,
    /// Positions of this game in which 1 move was right and another was played.
    pub puzzles: Vec<PuzzleFacts>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportedGame {
    pub white: String,
    pub black: String,
    pub event: String,
    pub date: String,
    pub result: String,
    pub plies: u32,
    /// Why it cannot be read, if it cannot.
    pub problem: Option<String>,
}

/// The answer to an uploaded PGN.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Imported {
    pub collection: u32,
    pub games: Vec<ImportedGame>,
    /// The file had more games than are kept.
    pub cut_short: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Experiment {
    /// Names it in the report's address.
    pub id: u32,
    pub kind: String,
    pub name: String,
    pub created: String,
    pub folder: String,
    pub done: u32,
    pub wanted: Option<u32>,
    pub unit: String,
    pub problem: Option<String>,
    /// Started by this server and not ended.
    pub running: bool,
    /// The last line that a run of this server wrote.
    pub said: String,
    /// It has games to look at.
    pub games: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    Welcome {
        engine: EngineFacts,
    },
    /// An engine of the list has started: what of it the page may set.
    EngineOptions {
        engine: String,
        options: Vec<OptionFact>,
    },
    Game {
        view: Box<GameView>,
    },
    /// The game is at the board of another tab.
    GameElsewhere {
        id: u32,
    },
    DrawDeclined,
    /// A message of the opponent or the coach.
    Remark {
        text: String,
    },
    Hint {
        uci: String,
        san: String,
    },
    Games {
        games: Vec<GameSummary>,
        total: u32,
    },
    Exported {
        name: String,
        pgn: String,
    },
    Described {
        request: u32,
        from: u32,
        nodes: Vec<Node>,
    },
    /// A line of moves that cannot be described: why.
    Undescribed {
        request: u32,
        problem: String,
    },
    Analysis {
        slot: Slot,
        threat: bool,
        fen: String,
        lines: Vec<AnalysisLine>,
        depth: u32,
        nodes: f64,
        nodes_per_second: f64,
        milliseconds: u32,
        permille_used: u32,
        sharing: Option<Sharing>,
        running: bool,
    },
    Reviewed {
        review: Box<Review>,
    },
    People {
        fen: String,
        rating: u16,
        /// Of this opening, at this level.
        games: u32,
        moves: Vec<PeopleMove>,
    },
    Explored {
        fen: String,
        /// Names of the rating bands: `online below 1200`.
        bands: Vec<String>,
        /// The most played first.
        moves: Vec<ExplorerMove>,
    },
    Coaching {
        done: u32,
        total: u32,
    },
    Coached {
        report: Box<CoachReport>,
    },
    Laser {
        view: Box<LaserView>,
    },
    LaserAnalysis {
        line: LaserLine,
    },
    Experiments {
        experiments: Vec<Experiment>,
        place: String,
    },
    /// Something went wrong: what happened, and what to do next.
    Problem {
        what: String,
        next: String,
    },
}
