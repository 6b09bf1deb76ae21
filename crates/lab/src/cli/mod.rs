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
            let _ = writeln!(err, "lab: {}\nTry 'lab help'.", shown(&reason));
            2
        }
        Err(Failure::Failed(reason)) => {
            let _ = writeln!(err, "lab: {}", shown(&reason));
            1
        }
    }
}

/// A reason with the control characters of foreign names escaped. Its further lines are indented, so that a line break
/// in a name cannot pass for a line of ours.
fn shown(reason: &str) -> String {
    reason.trim_end().split('\n').map(common::escape_control).collect::<Vec<_>>().join("\n    ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_an_error_cannot_pass_for_another_line() {
        let mut err = Vec::new();
        let code = run(&["report".to_owned(), "no\u{1b}[2J\nElo: 900".to_owned()], &mut Vec::new(), &mut err);
        let text = String::from_utf8(err).unwrap();
        assert_eq!(code, 1);
        assert!(text.starts_with("lab: no\\u{1b}[2J\n    Elo: 900"), "{text}");
    }
}
