//! The command line of the laboratory: `tabiya lab <command>`.

mod commands;
mod eas;
mod flags;
mod folders;
mod help;
mod kinds;

use std::ffi::OsString;
use std::io::Write;

use match_runner::stop::StopFlag;

/// Wrong usage, in the words shown to the user.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line makes no sense; exit code 2.
    Usage(String),
    /// The command made sense and failed; exit code 1.
    Failed(String),
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}

impl From<experiment::store::StoreError> for Failure {
    fn from(error: experiment::store::StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

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
