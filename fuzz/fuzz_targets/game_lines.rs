//! Any line is a game of the text format or a reason why not.
#![no_main]

use data::game_lines::GameLine;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for line in text.lines() {
        match GameLine::parse(line) {
            Ok(game) => assert!(game.is_none_or(|game| (0.0..=1.0).contains(&game.result))),
            Err(reason) => assert!(!reason.is_empty()),
        }
    }
});
