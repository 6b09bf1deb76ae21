//! Any bytes are a stream of the site's: lines come out whole, events or reasons why not, and no name that is not one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lichess::wire::{GameEvent, Incoming};
use lichess::{Line, Lines};

fuzz_target!(|bytes: &[u8]| {
    let mut lines = Lines::new(bytes);
    while let Ok(Some(line)) = lines.next_line() {
        let Line::Text(text) = line else { continue };
        assert!(!text.contains('\n'));
        match Incoming::parse(&text) {
            Ok(Incoming::Challenge(challenge)) => {
                let _ = lichess::Policy::default().judge(&challenge);
                assert!(challenge.challenger.label().chars().all(|letter| !letter.is_control()));
                assert!(challenge.id.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric()));
            }
            Ok(Incoming::GameStart(id) | Incoming::GameFinish(id) | Incoming::ChallengeGone(id)) => {
                assert!(id.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric()));
            }
            Ok(Incoming::Other(_)) | Err(_) => {}
        }
        if let Ok(event) = GameEvent::parse(&text) {
            let _ = event.is_last();
        }
    }
});
