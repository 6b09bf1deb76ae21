//! How much one game may take.

/// Memory for a game is bounded by `game_bytes` and what a comment of one letter takes more in memory than in a file:
/// some thirty times as much, whatever the input holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of text, comments included; also the longest line.
    pub game_bytes: usize,
    /// Moves in all lines together.
    pub moves: usize,
    /// Variations within variations.
    pub depth: usize,
    pub tags: usize,
    /// Bytes of one tag, name and value.
    pub tag_bytes: usize,
}

/// Generous for every game that people or engines ever annotated.
impl Default for Limits {
    fn default() -> Limits {
        Limits { game_bytes: 2 << 20, moves: 100_000, depth: 100, tags: 256, tag_bytes: 4096 }
    }
}
