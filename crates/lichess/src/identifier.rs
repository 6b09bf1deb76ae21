//! Identifiers of games and challenges. They become parts of URLs, so only letters and digits are accepted.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Identifier(String);

impl Identifier {
    /// `None` unless it is one to sixteen letters and digits.
    pub fn new(text: &str) -> Option<Identifier> {
        let fits = (1..=16).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        fits.then(|| Identifier(text.to_string()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_changes_an_address() {
        assert_eq!(Identifier::new("5IrD6Gzz").map(|id| id.to_string()).as_deref(), Some("5IrD6Gzz"));
        for text in ["", "..", "a/b", "a?b", "a b", "a\r\nb", "ä", &"a".repeat(17)] {
            assert_eq!(Identifier::new(text), None, "{text:?}");
        }
    }
}
