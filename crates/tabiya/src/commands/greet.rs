//! `tabiya` alone: a person at a terminal is greeted, a program on stdin meets a silent engine.

use crate::cli::Failure;
use std::io::{BufRead as _, IsTerminal as _, Write as _};

pub fn without_arguments() -> Result<(), Failure> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        writeln!(
            std::io::stdout(),
            "Tabiya {version}, a chess engine and chess laboratory.\n\n  \
             tabiya play     a game in this terminal\n  tabiya help     everything else\n"
        )?;
        return Ok(());
    }
    // Waits for the end of input.
    for line in stdin.lock().lines() {
        if line?.trim() == "quit" {
            break;
        }
    }
    Ok(())
}
