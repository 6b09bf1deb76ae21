//! `tabiya`: one binary, subcommands. It connects stdin, stdout, files and signals to the libraries, which do the work.

mod cli;
mod clock;
mod commands;
mod date;
mod terminal;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    cli::run(&commands::TABLE, &arguments)
}
