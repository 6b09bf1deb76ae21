//! The pawn hash table: what pawns and kings alone decide; one table for each worker, so no locks.

use super::tapered::Tapered;
use chess::{Bitboard, Position};

/// Direct-mapped, always replaced. 8192 entries are 320 KiB: most of a search sees few pawn structures, and the
/// table should leave the second-level cache to others.
const ENTRIES: usize = 1 << 13;

#[derive(Clone, Copy, Default)]
pub(super) struct PawnEntry {
    pub key: u64,
    pub score: Tapered,
    pub danger: [Tapered; 2],
    pub passed: [Bitboard; 2],
}

pub(super) struct PawnTable {
    entries: Box<[PawnEntry]>,
}

impl PawnTable {
    pub fn new() -> PawnTable {
        PawnTable { entries: vec![PawnEntry::default(); ENTRIES].into_boxed_slice() }
    }

    /// The pawns' key with both kings stirred in.
    #[inline(always)]
    pub fn key(position: &Position) -> u64 {
        let board = position.board();
        let kings = board.king(chess::Color::White).index() << 6 | board.king(chess::Color::Black).index();
        // An odd multiplier (2^64 / golden ratio) spreads the kings over all bits; zero stays the empty entry's.
        position.keys().pawn ^ (kings as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The entry of this key, if it is remembered.
    #[inline(always)]
    pub fn find(&self, key: u64) -> Option<PawnEntry> {
        let entry = self.entries[key as usize & (ENTRIES - 1)];
        (entry.key == key).then_some(entry)
    }

    #[inline(always)]
    pub fn keep(&mut self, entry: PawnEntry) {
        self.entries[entry.key as usize & (ENTRIES - 1)] = entry;
    }

    pub fn clear(&mut self) {
        self.entries.fill(PawnEntry::default());
    }
}
