//! The commands, one file each, and the table that lists them.

mod book;
mod coach;
mod engine_commands;
mod human;
mod laboratory;
mod laser;
mod lichess;
mod perft;
mod play;
mod puzzles;
mod serve;
mod training_data;
mod tune;
mod uci;

pub use engine_commands::engine_lines;
pub use uci::without_arguments;

use crate::cli::{Command, Failure, Parsed, remark};
use chess::Position;

pub static TABLE: [Command; 17] = [
    serve::COMMAND,
    play::COMMAND,
    coach::COMMAND,
    human::COMMAND,
    puzzles::COMMAND,
    book::COMMAND,
    perft::COMMAND,
    laboratory::COMMAND,
    laser::COMMAND,
    lichess::COMMAND,
    tune::COMMAND,
    training_data::DATAGEN,
    training_data::DATA,
    engine_commands::BENCH,
    engine_commands::EVAL,
    engine_commands::DISPLAY,
    engine_commands::SPEED_TEST,
];

/// The position a `--fen` flag names, or the start. Repairs are named on stderr.
fn position_from(parsed: &Parsed) -> Result<Position, Failure> {
    let Some(fen) = parsed.text("fen") else { return Ok(Position::default()) };
    let (position, repairs) =
        Position::from_fen_lenient(fen).map_err(|error| Failure::Failed(format!("--fen: {error}")))?;
    for repair in repairs {
        remark(&format!("tabiya: --fen: {repair}"));
    }
    Ok(position)
}
