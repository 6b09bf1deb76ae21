//! The text protocol of the 2018 Leiserchess course: UCI's shape, its own words.
//!
//! Extended with what the course's interface document lists and its player never read: `ucinewgame`, `stop`,
//! `ponder`, `ponderhit`, `go nodes`, `go infinite`, `movestogo`. Moves and positions stay text here; the rules decide
//! whether they are legal.

pub mod client;
mod command;
mod reply;

pub use command::{Base, Command, Go, HELP, Problem, parse};
pub use reply::{
    READY_OK, best_move, evaluation, identification, illegal_move, info_lines, info_string, option_line,
    perft_line, setting,
};
