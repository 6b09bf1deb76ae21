//! Any line is a game of the text format or a reason why not.

use data::game_lines::GameLine;

pub fn run(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    for line in text.lines() {
        match GameLine::parse(line) {
            Ok(game) => assert!(game.is_none_or(|game| (0.0..=1.0).contains(&game.result))),
            Err(reason) => assert!(!reason.is_empty()),
        }
    }
}
