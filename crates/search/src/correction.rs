//! Correction histories: how wrong the static evaluation has been in positions that share a feature (Caissa; the choice
//! of features follows Stockfish).

use crate::history::{HistoryEntry, PieceTo};
use chess::Position;
use kernel::prefetch::prefetch;
use std::sync::Arc;

const SIZE: usize = 16_384;
/// No entry leaves plus or minus this; 1024 of it at weight 64 is worth 32 centipawns.
const LIMIT: i32 = 1024;
const SCALE: i32 = 2048;

/// The features: pawns, minor pieces, major pieces, white pieces, black pieces, last two moves, last and fourth last.
pub const KINDS: usize = 7;

/// The slots of one position, one for each kind.
pub type Slots = [usize; KINDS];

/// A worker's corrections, its own or a team's, by kind and side to move.
#[derive(Clone)]
pub struct Corrections(Arc<[[HistoryEntry; SIZE]; 2 * KINDS]>);

impl Default for Corrections {
    fn default() -> Self {
        Self(Arc::new(std::array::from_fn(|_| std::array::from_fn(|_| HistoryEntry::default()))))
    }
}

impl Corrections {
    /// Forgets everything.
    pub fn clear(&self) {
        self.0.iter().flatten().for_each(HistoryEntry::clear);
    }

    /// Where the position's corrections lie.
    #[inline]
    pub fn slots(position: &Position, last: PieceTo, before: PieceTo, fourth: PieceTo) -> Slots {
        let keys = position.keys();
        let moves = last.index() * 37 + before.index() * 1021;
        let slot = |key: u64| key as usize % SIZE;
        [
            slot(keys.pawn),
            slot(keys.minor),
            slot(keys.major),
            slot(keys.non_pawn[0]),
            slot(keys.non_pawn[1]),
            moves % SIZE,
            (last.index() * 41 + fourth.index() * 1033) % SIZE,
        ]
    }

    /// Brings the position's corrections into the cache: they lie far apart, and the evaluation gives them time to come.
    #[inline]
    pub fn prefetch(&self, position: &Position, slots: &Slots) {
        let turn = position.turn().index();
        for (kind, &slot) in slots.iter().enumerate() {
            prefetch(&self.0[2 * kind + turn][slot]);
        }
    }

    /// The weighted correction in centipawns.
    #[inline]
    pub fn get(&self, position: &Position, slots: &Slots, weights: &[i32; KINDS]) -> i32 {
        let turn = position.turn().index();
        let sum: i32 = slots
            .iter()
            .zip(weights)
            .enumerate()
            .map(|(kind, (&slot, weight))| self.0[2 * kind + turn][slot].get() * weight)
            .sum();
        sum / SCALE
    }

    /// A step of at most the limit of an entry divided by `divisor`.
    #[inline]
    pub fn bonus(wanted: i32, divisor: i32) -> i32 {
        wanted.clamp(-LIMIT / divisor, LIMIT / divisor)
    }

    /// Moves the position's entries by a [`Corrections::bonus`].
    #[inline]
    pub fn update(&self, position: &Position, slots: &Slots, bonus: i32) {
        let turn = position.turn().index();
        for (kind, &slot) in slots.iter().enumerate() {
            self.0[2 * kind + turn][slot].update(bonus, LIMIT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_errors_are_corrected_in_their_direction_and_within_bounds() {
        let position = Position::default();
        let slots = Corrections::slots(&position, PieceTo::NONE, PieceTo::NONE, PieceTo::NONE);
        let corrections = Corrections::default();
        let weights = [64; KINDS];
        for _ in 0..1000 {
            corrections.update(&position, &slots, Corrections::bonus(-80 * 9 / 8, 4));
        }
        let learned = corrections.get(&position, &slots, &weights);
        // A full entry of this weight is worth 32 centipawns.
        let most = 32 * KINDS as i32;
        assert!((-most..=-most * 3 / 4).contains(&learned), "{learned}");
        corrections.clear();
        assert_eq!(corrections.get(&position, &slots, &weights), 0);
    }
}
