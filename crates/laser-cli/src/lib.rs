//! The `tabiya laser` commands.
//!
//! Everything goes through [`run`], which is given its arguments, input, output and clock; nothing here touches the
//! process's own standard streams or wall clock, so that tests drive every command with strings.

mod analyse;
mod arguments;
mod bench;
mod book;
mod command_loop;
mod diagram;
mod endgame;
mod environment;
mod files;
mod match_play;
mod options;
mod perft;
mod play;
mod player;
mod tune;

use std::sync::Arc;

use arguments::Arguments;
pub use environment::{Environment, Failure, USAGE};
pub use options::Options;

/// Runs one command.
pub fn run(arguments: &[String], environment: &mut Environment<'_>) -> Result<(), Failure> {
    match arguments.first().map(String::as_str) {
        None | Some("--book" | "--endgame") => command_loop::run(with_files(arguments)?, environment),
        Some("book") => book::run(&arguments[1..], environment),
        Some("perft") => perft::run(&arguments[1..], environment),
        Some("play") => play::run(&arguments[1..], environment),
        Some("analyse" | "analyze") => analyse::run(&arguments[1..], environment),
        Some("bench") => bench::run(&arguments[1..], environment),
        Some("tune") => tune::run(&arguments[1..], environment),
        Some("match") => match_play::run(&arguments[1..], environment),
        Some("help" | "--help" | "-h") => Ok(writeln!(environment.output, "{USAGE}")?),
        Some(other) => Err(Failure::Usage(format!("laser: unknown command '{other}'"))),
    }
}

/// Options with the book and tables named on the command line.
fn with_files(arguments: &[String]) -> Result<Options, Failure> {
    let arguments = Arguments::read("laser", arguments, &["book", "endgame"], &[])?;
    if let Some(word) = arguments.words.first() {
        return Err(Failure::Usage(format!("laser: '{word}' not understood")));
    }
    let mut options = Options::default();
    if let Some(path) = arguments.text("book") {
        options.book = Some(Arc::new(files::load_book(path).map_err(Failure::Failed)?));
    }
    if let Some(path) = arguments.text("endgame") {
        options.settings.endgame = Some(Arc::new(files::load_endgame(path).map_err(Failure::Failed)?));
    }
    Ok(options)
}
