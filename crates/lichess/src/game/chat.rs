//! Chat: a greeting and answers to commands, limited in number and rate.

use std::time::{Duration, Instant};

/// Characters of a message; the site cuts longer ones.
const LONGEST: usize = 140;
/// Messages in one game.
const MOST: u32 = 8;
const BETWEEN: Duration = Duration::from_secs(3);

pub struct Chat {
    greeting: Option<String>,
    said: u32,
    last: Option<Instant>,
}

impl Chat {
    pub fn new(greeting: Option<String>) -> Chat {
        Chat { greeting, said: 0, last: None }
    }

    /// At most once.
    pub fn greeting(&mut self, now: Instant) -> Option<String> {
        let words = self.greeting.take()?;
        self.allow(cut(&words), now)
    }

    /// What to answer to a line of chat, if anything.
    pub fn answer(&mut self, text: &str, now: Instant) -> Option<String> {
        let words = match text.trim() {
            "!name" | "!engine" => {
                concat!("Tabiya ", env!("CARGO_PKG_VERSION"), ", ", env!("CARGO_PKG_REPOSITORY"))
            }
            "!help" | "!commands" => "I understand !name and !help.",
            _ => return None,
        };
        self.allow(cut(words), now)
    }

    fn allow(&mut self, words: String, now: Instant) -> Option<String> {
        let soon = self.last.is_some_and(|last| now.saturating_duration_since(last) < BETWEEN);
        if soon || self.said >= MOST || words.is_empty() {
            return None;
        }
        self.said += 1;
        self.last = Some(now);
        Some(words)
    }
}

/// As many characters as the site accepts, without control characters.
fn cut(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_few_and_slow() {
        let start = Instant::now();
        let mut chat = Chat::new(Some("x".repeat(500)));
        assert_eq!(chat.greeting(start).map(|words| words.len()), Some(LONGEST));
        assert_eq!(chat.greeting(start + BETWEEN), None, "once");
        assert_eq!(chat.answer("!name", start + Duration::from_secs(1)), None, "too soon");
        assert_eq!(chat.answer("hello", start + BETWEEN), None);
        let answered =
            (1..100).filter(|turn| chat.answer(" !help ", start + BETWEEN * *turn).is_some()).count();
        assert_eq!(answered as u32, MOST - 1);
    }
}
