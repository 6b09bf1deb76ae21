//! Any text is a message of the page's or a reason why not; a message is written and read back the same.
#![no_main]
#![allow(dead_code, unused_imports, reason = "the target needs one type of the module")]

#[path = "../../crates/web/src/messages/mod.rs"]
mod messages;

use libfuzzer_sys::fuzz_target;
use messages::Command;

fuzz_target!(|text: &str| {
    if let Ok(command) = serde_json::from_str::<Command>(text) {
        let written = serde_json::to_string(&command).expect("a message can be written");
        let again: Command = serde_json::from_str(&written).expect("own text reads back");
        // Numbers that are not finite have no JSON, so texts are compared.
        assert_eq!(serde_json::to_string(&again).expect("a message can be written"), written);
    }
});
