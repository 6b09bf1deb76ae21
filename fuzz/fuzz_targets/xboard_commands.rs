//! Any line of XBoard's protocol is a command, a problem that can be told, or nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use protocol::xboard::Command;

fuzz_target!(|text: &str| {
    for line in text.lines() {
        match Command::parse(line) {
            Ok(Some(command)) => assert!(!format!("{command:?}").is_empty()),
            Ok(None) => {}
            Err(problem) => assert!(!problem.is_empty() && problem.lines().count() == 1, "{problem}"),
        }
    }
});
