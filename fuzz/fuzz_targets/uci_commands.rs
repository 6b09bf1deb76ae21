//! Any line of UCI is a command, a word that is none, or nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use protocol::uci::Command;

fuzz_target!(|text: &str| {
    for line in text.lines() {
        match Command::parse(line) {
            Ok(Some(command)) => assert!(!format!("{command:?}").is_empty()),
            Ok(None) => {}
            Err(word) => assert!(line.contains(word)),
        }
    }
});
