//! The command line of the laboratory: `tabiya lab <command>`.

mod commands;
mod eas;
mod folders;
mod help;
mod import;
mod studies;

use std::ffi::OsString;
use std::io::Write;

use experiment::failure::Failure;

pub use match_runner::stop::StopFlag;
pub use studies::{StudyFacts, study_facts};

/// Runs one lab command; `arguments` come after the word `lab`. Results go to `out`, progress and errors to `err`. Answers
/// the exit code: 0 done, 1 failed, 2 wrong usage, 3 done but engines failed on the way, 130 stopped by the user.
pub fn run(arguments: &[String], out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    run_until(arguments, out, err, &StopFlag::default())
}

/// The same, with a flag that ends a run early and cleanly, for a signal handler to raise.
pub fn run_until(arguments: &[String], out: &mut dyn Write, err: &mut dyn Write, stop: &StopFlag) -> u8 {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    match commands::dispatch(arguments, out, err, stop) {
        Ok(code) => code,
        Err(Failure::Usage(reason)) => {
            // Nothing useful is left to do when even the error stream is closed.
            let _ = writeln!(err, "lab: {reason}\nTry 'lab help'.");
            2
        }
        Err(Failure::Failed(reason)) => {
            let _ = writeln!(err, "lab: {reason}");
            1
        }
    }
}
