//! Any bytes are a stream of the site's: lines come out whole, events or reasons why not, and no name that is not one.

use lichess::events::{AccountEvent, GameEvent};
use lichess::{Line, Lines};

pub fn run(bytes: &[u8]) {
    let mut lines = Lines::new(bytes);
    while let Ok(Some(line)) = lines.next_line() {
        let Line::Text(text) = line else { continue };
        assert!(!text.contains('\n'));
        match AccountEvent::parse(&text) {
            Ok(AccountEvent::Challenge(challenge)) => {
                let _ = lichess::Policy::default().check(&challenge);
                assert!(challenge.challenger.display_name().chars().all(|letter| !letter.is_control()));
                assert!(challenge.id.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric()));
            }
            Ok(
                AccountEvent::GameStart(id) | AccountEvent::GameFinish(id) | AccountEvent::ChallengeGone(id),
            ) => {
                assert!(id.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric()));
            }
            Ok(AccountEvent::Other(_)) | Err(_) => {}
        }
        if let Ok(event) = GameEvent::parse(&text) {
            let _ = event.is_last();
        }
    }
}
