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
mod rules;
mod tune;

use std::sync::Arc;

use arguments::Arguments;
pub use environment::{Environment, Failure, USAGE};
pub use options::Options;

/// Runs one command.
pub fn run(arguments: &[String], environment: &mut Environment<'_>) -> Result<(), Failure> {
    let is_help = |word: &String| matches!(word.as_str(), "--help" | "-h");
    if let [command, rest @ ..] = arguments
        && (rest.iter().any(is_help) || command == "help" && !rest.is_empty())
    {
        let topic = if command == "help" { &rest[0] } else { command };
        return Ok(writeln!(environment.output, "{}", help(topic)?)?);
    }
    match arguments.first().map(String::as_str) {
        Some("rules") => Ok(writeln!(environment.output, "{}", rules::RULES)?),
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

/// What the usage says about one command.
fn help(command: &str) -> Result<String, Failure> {
    if command == "rules" {
        return Ok(rules::RULES.to_owned());
    }
    let name = if command == "analyze" { "analyse" } else { command };
    let start = format!("tabiya laser {name}");
    let mut lines = Vec::new();
    let mut inside = false;
    for line in USAGE.lines() {
        if line.starts_with("tabiya") {
            inside = line.strip_prefix(&start).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        }
        if inside {
            lines.push(line);
        }
    }
    if lines.is_empty() {
        return Err(Failure::Usage(format!("laser: unknown command '{command}'")));
    }
    let mut text = lines.join("\n");
    if name == "play" {
        text = format!("{text}\n\nIn the game:\n{}", rules::WORDS);
    }
    Ok(text)
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
