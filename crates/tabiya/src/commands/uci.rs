//! `tabiya` without a command: an engine on standard input. Nothing is printed before the first command, except to a
//! person at a terminal.

use crate::cli::Failure;
use crate::clock;
use engine::Engine;
use protocol::{Identity, Output, serve};
use std::io::{BufReader, IsTerminal as _, Write as _};

pub fn identity() -> Identity {
    Identity { name: format!("Tabiya {}", env!("CARGO_PKG_VERSION")), author: "the Tabiya team".into() }
}

pub fn without_arguments() -> Result<(), Failure> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        writeln!(
            std::io::stdout(),
            "{}, a chess engine and chess laboratory.\n\n  \
             tabiya play     a game in this terminal\n  tabiya help     everything else\n\n\
             This prompt is for chess programs (UCI or XBoard). 'help' explains, 'quit' leaves.",
            identity().name
        )?;
    }
    let engine = Engine::new(clock::system()).map_err(Failure::failed)?;
    serve(engine, &identity(), BufReader::new(stdin), &Output::new(std::io::stdout()))?;
    Ok(())
}
