//! Commands of the UCI session as commands of the program: `tabiya bench`, `tabiya eval --fen ...`.

use super::uci::identity;
use crate::cli::{Command, Failure, Flag, Parsed, Run};
use crate::clock;
use chess::Game;
use engine::Engine;
use protocol::{Output, run_script};

const FEN: Flag =
    Flag { name: "fen", value: Some("FEN"), help: "the position (default: the start of a game)" };

pub const BENCH: Command = Command {
    name: "bench",
    summary: "Search a fixed set of positions; the node count identifies the build",
    arguments: "[DEPTH]",
    flags: &[Flag {
        name: "techniques",
        value: Some("LIST"),
        help: "for study: a variant, or techniques to switch off, as in all,-null-move",
    }],
    examples: &["tabiya bench", "tabiya bench 14", "tabiya bench --techniques all,-null-move"],
    run: Run::Parsed(|parsed| {
        let mut engine = new_engine()?;
        if let Some(list) = parsed.text("techniques") {
            engine.set_option("Techniques", Some(list)).map_err(Failure::failed)?;
        }
        run_lines(engine, &[with_arguments("bench", parsed)])
    }),
};

pub const SPEED_TEST: Command = Command {
    name: "speedtest",
    summary: "Nodes per second over a longer run",
    arguments: "[THREADS [HASH [SECONDS]]]",
    flags: &[],
    examples: &["tabiya speedtest", "tabiya speedtest 2 256 10"],
    run: Run::Parsed(|parsed| engine_lines(&[with_arguments("speedtest", parsed)])),
};

pub const EVAL: Command = Command {
    name: "eval",
    summary: "The evaluation of a position, term by term",
    arguments: "",
    flags: &[FEN],
    examples: &["tabiya eval --fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\""],
    run: Run::Parsed(|parsed| on_position("eval", parsed)),
};

pub const DISPLAY: Command = Command {
    name: "d",
    summary: "Show a position as a picture and as text",
    arguments: "",
    flags: &[FEN],
    examples: &["tabiya d"],
    run: Run::Parsed(|parsed| on_position("d", parsed)),
};

fn with_arguments(word: &str, parsed: &Parsed) -> String {
    let mut line = vec![word.to_string()];
    line.extend(parsed.positional().iter().cloned());
    line.join(" ")
}

fn on_position(word: &str, parsed: &Parsed) -> Result<(), Failure> {
    parsed.no_positional()?;
    let mut engine = new_engine()?;
    engine.set_game(Game::new(super::position_from(parsed)?));
    run_lines(engine, &[word.to_string()])
}

/// Runs these lines as if they had been typed, each to its end.
pub fn engine_lines(lines: &[String]) -> Result<(), Failure> {
    run_lines(new_engine()?, lines)
}

fn new_engine() -> Result<Engine, Failure> {
    Engine::new(clock::system()).map_err(Failure::failed)
}

fn run_lines(engine: Engine, lines: &[String]) -> Result<(), Failure> {
    run_script(engine, &identity(), lines, &Output::new(std::io::stdout()))?;
    Ok(())
}
