//! Any line of the Leiserchess protocol is a command or a problem that can be told.

use protocol::leiserchess::parse;

pub fn run(bytes: &[u8]) {
    let line = &*String::from_utf8_lossy(bytes);
    if let Err(problem) = parse(line) {
        assert!(!problem.to_string().is_empty());
    }
}
