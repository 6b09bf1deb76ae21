//! The tuner by itself: `cargo run --release -p tuner --example tune -- GAMES.tsv.zst ...`.

use std::process::ExitCode;
use tuner::cli::{Failure, run};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments, &mut std::io::stdout(), &mut std::io::stderr()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => {
            eprintln!("tune: {message}");
            ExitCode::from(2)
        }
        Err(Failure::Failed(message)) => {
            eprintln!("tune: {message}");
            ExitCode::FAILURE
        }
    }
}
