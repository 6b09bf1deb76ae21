//! `tabiya laser`: Leiserchess has commands of its own.

use crate::cli::{Command, Failure, Run};
use crate::clock;
use laser_cli::Environment;

pub const COMMAND: Command = Command {
    name: "laser",
    summary: "Leiserchess, the laser game: protocol, play, perft, analysis, matches",
    arguments: "[COMMAND ...]",
    flags: &[],
    examples: &["tabiya laser play", "tabiya laser perft 3"],
    run: Run::Raw(run),
};

fn run(arguments: &[String]) -> Result<(), Failure> {
    let mut environment = Environment {
        input: &mut std::io::stdin().lock(),
        output: &mut std::io::stdout(),
        clock: clock::system(),
    };
    laser_cli::run(arguments, &mut environment).map_err(|failure| match failure {
        laser_cli::Failure::Usage(_) => Failure::Usage(failure.to_string()),
        _ => Failure::failed(failure),
    })
}
