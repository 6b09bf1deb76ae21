//! The search stack: what the search keeps for each ply of its path.

use crate::history::{CaptureIndex, PieceTo, QuietIndex};
use chess::Move;
use kernel::{MAX_PLY, Score};

/// One ply of the present path.
#[derive(Clone, Copy, Debug)]
pub struct Ply {
    /// The move being searched here; `None` for a null move.
    pub mv: Option<Move>,
    /// Where its quiet histories lie; `None` for captures and null moves.
    pub quiet_index: Option<QuietIndex>,
    /// Where its capture history lies; `None` for quiet moves, null moves and in quiescence.
    pub capture_index: Option<CaptureIndex>,
    /// Its piece and target square, for the continuation histories of the plies below.
    pub piece_to: PieceTo,
    /// The corrected static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// The move left out by a singular search.
    pub excluded: Option<Move>,
    /// A quiet move that refuted a sibling.
    pub killer: Option<Move>,
    /// Fail-highs among this ply's nodes since the grandparent was entered.
    pub cutoffs: usize,
    /// Multiple extensions on the path so far.
    pub extensions: i32,
}

impl Ply {
    const EMPTY: Self = Self {
        mv: None,
        quiet_index: None,
        capture_index: None,
        piece_to: PieceTo::NONE,
        eval: None,
        excluded: None,
        killer: None,
        cutoffs: 0,
        extensions: 0,
    };
}

impl Default for Ply {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Plies before the root, so that looking six plies back never leaves the stack.
const BEFORE: usize = 6;
/// Plies after the deepest, so that a node may prepare its grandchildren.
const AFTER: usize = 3;

/// The path from the root, indexed by ply.
pub struct Stack(Box<[Ply; BEFORE + MAX_PLY + AFTER]>);

impl Default for Stack {
    fn default() -> Self {
        Self(Box::new([Ply::EMPTY; BEFORE + MAX_PLY + AFTER]))
    }
}

impl Stack {
    /// Forgets the path.
    pub fn clear(&mut self) {
        self.0.fill(Ply::EMPTY);
    }

    /// Copies the plies from `back` before `ply` on.
    pub fn copy_around(&self, ply: usize, back: usize, plies: &mut [Ply]) {
        let from = BEFORE + ply - back;
        plies.copy_from_slice(&self.0[from..from + plies.len()]);
    }

    /// Puts plies back where [`Stack::copy_around`] took them from.
    pub fn put_around(&mut self, ply: usize, back: usize, plies: &[Ply]) {
        let from = BEFORE + ply - back;
        self.0[from..from + plies.len()].copy_from_slice(plies);
    }

    /// The ply `back` plies before `ply`, at most six.
    #[inline]
    pub fn back(&self, ply: usize, back: usize) -> &Ply {
        &self.0[BEFORE + ply - back]
    }
}

impl std::ops::Index<usize> for Stack {
    type Output = Ply;
    #[inline]
    fn index(&self, ply: usize) -> &Ply {
        &self.0[BEFORE + ply]
    }
}

impl std::ops::IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Ply {
        &mut self.0[BEFORE + ply]
    }
}
