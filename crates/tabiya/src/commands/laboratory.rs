//! `tabiya lab`: the laboratory has commands of its own.

use crate::cli::{Command, Failure, Run};
use match_runner::stop::StopFlag;

pub const COMMAND: Command = Command {
    name: "lab",
    summary: "Experiments: matches, SPRT, ratings, studies; `tabiya lab help` lists them",
    arguments: "COMMAND ...",
    flags: &[],
    examples: &["tabiya lab help"],
    run: Run::Raw(run),
};

fn run(arguments: &[String]) -> Result<(), Failure> {
    let stop = StopFlag::default();
    let raised = stop.clone();
    // The first Ctrl-C ends the run cleanly, between two games; nothing is lost either way.
    ctrlc::set_handler(move || raised.raise()).map_err(Failure::failed)?;
    match lab::cli::run_until(arguments, &mut std::io::stdout(), &mut std::io::stderr(), &stop) {
        0 => Ok(()),
        code => Err(Failure::Silent(code)),
    }
}
