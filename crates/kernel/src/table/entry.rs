//! One table entry, and its packing into a single 64-bit word.

use crate::bound::Bound;
use crate::depth::Depth;
use crate::score::Score;
use std::num::NonZeroU16;

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// The best or refuting move, packed by the game.
    pub best: Option<NonZeroU16>,
    /// The result, as [`Score::to_table`] gives it.
    pub score: i16,
    /// The static evaluation, when one was made.
    pub eval: Option<Score>,
    /// The depth of the search behind the score.
    pub depth: Depth,
    /// On which side of the truth the score lies.
    pub bound: Bound,
    /// The position once stood on a principal variation.
    pub pv: bool,
}

impl Entry {
    /// The entry in 64 bits, for a table elsewhere.
    pub fn to_bits(&self) -> u64 {
        Packed::pack(self, 0).0
    }

    /// Whatever 64 bits came from elsewhere: its move is not known to be legal anywhere.
    pub fn from_bits(bits: u64) -> Self {
        Packed(bits).unpack()
    }
}

/// Ages wrap around in 5 bits.
pub(super) const AGES: u8 = 32;

/// "No static evaluation" inside the packed word; no heuristic score reaches it.
const NO_EVAL: i16 = i16::MIN;

/// move 16 | score 16 | eval 16 | depth 8 | bound 2, pv 1, age 5
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Packed(pub(super) u64);

impl Packed {
    #[inline]
    pub(super) fn pack(entry: &Entry, age: u8) -> Self {
        let best = entry.best.map_or(0, NonZeroU16::get);
        let eval = entry.eval.map_or(NO_EVAL, |eval| eval.value() as i16);
        let depth = entry.depth.plies().clamp(0, 255) as u8;
        let flags = entry.bound as u8 | u8::from(entry.pv) << 2 | age << 3;
        Self(
            u64::from(best)
                | u64::from(entry.score as u16) << 16
                | u64::from(eval as u16) << 32
                | u64::from(depth) << 48
                | u64::from(flags) << 56,
        )
    }

    #[inline]
    pub(super) fn unpack(self) -> Entry {
        let eval = (self.0 >> 32) as i16;
        let flags = (self.0 >> 56) as u8;
        Entry {
            best: self.best(),
            score: (self.0 >> 16) as i16,
            eval: (eval != NO_EVAL).then(|| Score::centipawns(i32::from(eval))),
            depth: self.depth(),
            bound: Bound::from_bits(flags),
            pv: flags & 4 != 0,
        }
    }

    #[inline]
    pub(super) fn best(self) -> Option<NonZeroU16> {
        NonZeroU16::new(self.0 as u16)
    }

    #[inline]
    pub(super) fn depth(self) -> Depth {
        Depth::new(i32::from((self.0 >> 48) as u8))
    }

    #[inline]
    pub(super) fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }

    /// Never written: an entry with neither evaluation nor score would not be stored.
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What replacement would lose: deep and recent entries are worth keeping.
    #[inline]
    pub(super) fn replacement_value(self, now: u8) -> i32 {
        if self.is_empty() {
            return i32::MIN;
        }
        let generations = now.wrapping_sub(self.age()) % AGES;
        self.depth().plies() - 4 * i32::from(generations)
    }

    /// The word folded onto a tag's sixteen bits.
    #[inline]
    pub(super) fn fold(self) -> u16 {
        let half = self.0 ^ (self.0 >> 32);
        (half ^ (half >> 16)) as u16
    }
}
