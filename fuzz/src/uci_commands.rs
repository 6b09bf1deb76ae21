//! Any line of UCI is a command, a word that is none, or nothing.

use protocol::uci::Command;

pub fn run(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    for line in text.lines() {
        match Command::parse(line) {
            Ok(Some(command)) => assert!(!format!("{command:?}").is_empty()),
            Ok(None) => {}
            Err(word) => assert!(line.contains(word)),
        }
    }
}
