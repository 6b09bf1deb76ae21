//! Any line of the Leiserchess protocol is a command or a problem that can be told.
#![no_main]

use libfuzzer_sys::fuzz_target;
use protocol::leiserchess::parse;

fuzz_target!(|line: &str| {
    if let Err(problem) = parse(line) {
        assert!(!problem.to_string().is_empty());
    }
});
