//! `tabiya tune`: fits the evaluation's weights to the results of games.

use crate::cli::{Command, Failure, Run};

pub const COMMAND: Command = Command {
    name: "tune",
    summary: "Fit the hand-crafted evaluation to game results; `tabiya tune --help` explains",
    arguments: "FILE ...",
    flags: &[],
    examples: &["tabiya tune --help"],
    run: Run::Raw(run),
};

fn run(arguments: &[String]) -> Result<(), Failure> {
    let arguments: Vec<String> =
        arguments.iter().map(|word| if word == "help" { "--help".into() } else { word.clone() }).collect();
    tuner::cli::run(&arguments, &mut std::io::stdout(), &mut std::io::stderr()).map_err(|failure| {
        match failure {
            tuner::cli::Failure::Usage(text) => Failure::Usage(text),
            tuner::cli::Failure::Failed(text) => Failure::Failed(text),
        }
    })
}
