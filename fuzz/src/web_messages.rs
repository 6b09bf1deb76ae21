//! Any text is a message of the page's or a reason why not; a message is written and read back the same.

#[allow(dead_code, unused_imports, reason = "the target needs one type of the module")]
#[path = "../../crates/web/src/messages/mod.rs"]
mod messages;

use messages::Command;

pub fn run(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    if let Ok(command) = serde_json::from_str::<Command>(text) {
        let written = serde_json::to_string(&command).expect("a message can be written");
        let again: Command = serde_json::from_str(&written).expect("own text reads back");
        // Numbers that are not finite have no JSON, so texts are compared.
        assert_eq!(serde_json::to_string(&again).expect("a message can be written"), written);
    }
}
