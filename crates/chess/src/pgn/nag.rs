//! Numeric Annotation Glyphs: opinions about a move, as numbers.

use std::fmt;

/// `$1` is `!`, `$2` is `?`, and so on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Nag(pub u8);

/// The signs that people type instead of a number.
const GLYPHS: [(&[u8], u8); 13] = [
    (b"!", 1),
    (b"?", 2),
    (b"!!", 3),
    (b"??", 4),
    (b"!?", 5),
    (b"?!", 6),
    (b"=", 10),
    (b"+/=", 14),
    (b"=/+", 15),
    (b"+/-", 16),
    (b"-/+", 17),
    (b"+-", 18),
    (b"-+", 19),
];

impl Nag {
    pub(super) fn from_glyph(text: &[u8]) -> Option<Nag> {
        GLYPHS.iter().find(|(glyph, _)| *glyph == text).map(|(_, number)| Nag(*number))
    }

    /// The sign behind a move, for the six that have one.
    pub const fn suffix(self) -> Option<&'static str> {
        match self.0 {
            1 => Some("!"),
            2 => Some("?"),
            3 => Some("!!"),
            4 => Some("??"),
            5 => Some("!?"),
            6 => Some("?!"),
            _ => None,
        }
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
