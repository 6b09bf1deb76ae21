//! Any line of XBoard's protocol is a command, a problem that can be told, or nothing.

use protocol::xboard::Command;

pub fn run(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    for line in text.lines() {
        match Command::parse(line) {
            Ok(Some(command)) => assert!(!format!("{command:?}").is_empty()),
            Ok(None) => {}
            Err(problem) => assert!(!problem.is_empty() && problem.lines().count() == 1, "{problem}"),
        }
    }
}
