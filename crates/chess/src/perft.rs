//! Counting the leaves of the game tree: the test of the rules, and the measure of their speed.
//!
//! The last ply is counted, not played (bulk counting). Keys are not needed here, so boards are walked, not
//! positions.

use crate::board::Board;
use crate::movegen::{Counter, Every, Generator};
use crate::position::Position;
use crate::types::{Color, Move, MoveList};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Legal move sequences of exactly `depth` plies.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        depth => board_perft(position.board(), depth),
    }
}

/// `perft(depth - 1)` below each legal move.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let below = |&mv| (mv, perft(&position.after(mv), depth.saturating_sub(1)));
    position.legal_moves().iter().map(below).collect()
}

/// [`perft`] on several threads, each taking the next two-ply line that nobody has counted yet.
pub fn perft_parallel(position: &Position, depth: u32, threads: usize) -> u64 {
    const SPLIT: u32 = 2;
    if threads <= 1 || depth <= SPLIT + 1 {
        return perft(position, depth);
    }
    let mut lines = Vec::new();
    for &first in &position.legal_moves() {
        let after_first = position.after(first);
        for &second in &after_first.legal_moves() {
            lines.push(after_first.after(second));
        }
    }
    let (next, total) = (AtomicUsize::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
                    total.fetch_add(perft(line, depth - SPLIT), Ordering::Relaxed);
                }
            });
        }
    });
    total.into_inner()
}

/// Counts already made, by position and depth: many move orders lead to the same position.
pub struct PerftTable {
    /// Key (with the depth folded in) and count; a count of zero is an empty slot or costs nothing to repeat.
    slots: Vec<(u64, u64)>,
}

impl PerftTable {
    pub fn new(megabytes: usize) -> PerftTable {
        let slots = (megabytes.max(1) << 20) / size_of::<(u64, u64)>();
        PerftTable { slots: vec![(0, 0); slots] }
    }

    /// Multiplied so that neighbouring depths of one position lie apart.
    fn signature(key: u64, depth: u32) -> u64 {
        key ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn slot(&mut self, signature: u64) -> &mut (u64, u64) {
        let index = (u128::from(signature) * self.slots.len() as u128) >> 64;
        &mut self.slots[index as usize]
    }
}

/// [`perft`] that remembers; the same count unless two positions share a 64-bit key.
pub fn perft_hashed(position: &Position, depth: u32, table: &mut PerftTable) -> u64 {
    if depth <= 1 {
        return perft(position, depth);
    }
    let signature = PerftTable::signature(position.key(), depth);
    if let (known, count @ 1..) = *table.slot(signature)
        && known == signature
    {
        return count;
    }
    let count = if depth == 2 {
        board_perft(position.board(), 2)
    } else {
        let moves = position.legal_moves();
        moves.iter().map(|&mv| perft_hashed(&position.after(mv), depth - 1, table)).sum()
    };
    *table.slot(signature) = (signature, count);
    count
}

fn board_perft(board: &Board, depth: u32) -> u64 {
    match board.turn() {
        Color::White => walk::<true, false>(board, depth),
        Color::Black => walk::<false, true>(board, depth),
    }
}

/// Sides alternate, so the side to move is known to the compiler all the way down.
fn walk<const US: bool, const THEM: bool>(board: &Board, depth: u32) -> u64 {
    let (checkers, pinned) = board.checkers_and_pinned_as::<US>();
    let generator = Generator::<US>::new(board, checkers, pinned);
    if depth <= 1 {
        let mut counter = Counter::default();
        generator.run::<Every>(&mut counter);
        return counter.0;
    }
    let mut moves = MoveList::new();
    generator.run::<Every>(&mut moves);
    let mut leaves = 0;
    for &mv in &moves {
        let mut child = *board;
        child.play_as::<US>(mv);
        leaves += walk::<THEM, US>(&child, depth - 1);
    }
    leaves
}
