//! Move histories: tables of scores by which moves are ordered, reduced and pruned (Schaeffer 1983), with gravity.
//!
//! The tables may be shared: a clone of [`Histories`] refers to the same tables. Entries are relaxed
//! atomics, which cost one worker nothing; of two workers that update the same entry at the same
//! moment one update may be lost; histories tolerate that.

use chess::{Bitboard, Color, Move, MoveKind, Piece, PieceKind, Position};
use kernel::history::with_gravity;
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// No entry ever leaves plus or minus this.
pub const LIMIT: i32 = 16_384;

const PIECE_SQUARES: usize = 12 * 64;

/// A piece and the square it went to: the row of the continuation table for the moves after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// No move was made here; its row is never written and stays zero.
    pub const NONE: Self = Self(PIECE_SQUARES as u16);

    /// A piece and the square a move takes it to.
    #[inline]
    pub fn new(piece: Piece, mv: Move) -> Self {
        Self((piece.index() * 64 + mv.to().index()) as u16)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a quiet move's history entries lie, for updates after the position it was made in is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuietIndex {
    butterfly: [u16; 4],
    pawn: usize,
    column: usize,
}

/// Where the history entry of a capture or promotion lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CaptureIndex(u16, u8);

/// The moves 1, 2, 4 and 6 plies back, as the continuation history knows them.
pub type ContinuationContext = [PieceTo; 4];

/// One history score.
#[derive(Default)]
pub(crate) struct HistoryEntry(AtomicI16);

impl HistoryEntry {
    #[inline]
    pub(crate) fn get(&self) -> i32 {
        i32::from(self.0.load(Relaxed))
    }

    #[inline]
    pub(crate) fn update(&self, bonus: i32, limit: i32) {
        self.0.store(with_gravity(self.0.load(Relaxed), bonus, limit), Relaxed);
    }

    #[inline]
    pub(crate) fn clear(&self) {
        self.0.store(0, Relaxed);
    }
}

/// One side's quiet moves by whether origin and target are under attack, and by squares.
type BySquares = [[[HistoryEntry; 4096]; 2]; 2];
/// Moves by piece and target.
type Row = [HistoryEntry; PIECE_SQUARES];
/// Pawn structures told apart by the pawn history.
const PAWN_ROWS: usize = 512;

/// The move histories of a worker or of a team.
#[derive(Clone)]
pub struct Histories {
    butterfly: Arc<[BySquares; 2]>,
    capture: Arc<[[HistoryEntry; 6]; PIECE_SQUARES]>,
    continuation: Arc<[Row]>,
    pawn: Arc<[Row]>,
}

impl Default for Histories {
    fn default() -> Self {
        let rows =
            |count| (0..count).map(|_| [const { HistoryEntry(AtomicI16::new(0)) }; PIECE_SQUARES]).collect();
        Self {
            butterfly: Arc::new(
                [const { [const { [const { [const { HistoryEntry(AtomicI16::new(0)) }; 4096] }; 2] }; 2] };
                    2],
            ),
            capture: Arc::new([const { [const { HistoryEntry(AtomicI16::new(0)) }; 6] }; PIECE_SQUARES]),
            continuation: rows(PIECE_SQUARES + 1),
            pawn: rows(PAWN_ROWS),
        }
    }
}

/// The mover of a legal move; a position without it would be no position.
#[inline]
pub fn mover(position: &Position, mv: Move) -> Piece {
    position.piece_on(mv.from()).unwrap_or(Piece::WhitePawn)
}

#[inline]
pub(crate) fn piece_square(position: &Position, mv: Move) -> usize {
    mover(position, mv).index() * 64 + mv.to().index()
}

/// What a noisy move takes; a promotion without capture counts as taking a pawn.
#[inline]
fn victim(position: &Position, mv: Move) -> PieceKind {
    if mv.kind() == MoveKind::Normal {
        position.piece_on(mv.to()).map_or(PieceKind::Pawn, Piece::kind)
    } else {
        position.captured(mv).unwrap_or(PieceKind::Pawn)
    }
}

#[inline]
fn pawn_row(position: &Position) -> usize {
    position.keys().pawn as usize % PAWN_ROWS
}

#[inline]
fn from_to(mv: Move) -> usize {
    mv.from().index() * 64 + mv.to().index()
}

impl Histories {
    /// Forgets everything.
    pub fn clear(&self) {
        self.butterfly.iter().flatten().flatten().flatten().for_each(HistoryEntry::clear);
        self.capture.iter().flatten().for_each(HistoryEntry::clear);
        self.continuation.iter().flatten().for_each(HistoryEntry::clear);
        self.pawn.iter().flatten().for_each(HistoryEntry::clear);
    }

    /// The butterfly history of one side's quiet moves, for [`by_squares`].
    #[inline]
    pub(crate) fn butterfly(&self, turn: Color) -> &BySquares {
        &self.butterfly[turn.index()]
    }

    /// The continuation history of quiet moves, by [`piece_square`], after one of the moves before them.
    #[inline]
    pub(crate) fn continuation(&self, piece_to: PieceTo) -> &Row {
        &self.continuation[piece_to.index()]
    }

    /// The pawn history of quiet moves, by [`piece_square`].
    #[inline]
    pub(crate) fn pawn(&self, position: &Position) -> &Row {
        &self.pawn[pawn_row(position)]
    }

    /// Where a quiet move's history entries lie.
    #[inline]
    pub fn quiet_index(position: &Position, threats: Bitboard, mv: Move) -> QuietIndex {
        let flag = |square| u16::from(threats.has(square));
        QuietIndex {
            butterfly: [position.turn() as u16, flag(mv.from()), flag(mv.to()), from_to(mv) as u16],
            pawn: pawn_row(position),
            column: piece_square(position, mv),
        }
    }

    /// Updates a quiet move's butterfly and pawn histories.
    pub fn update_quiet(&self, index: &QuietIndex, bonus: i32) {
        let [turn, from, to, squares] = index.butterfly.map(usize::from);
        update(&self.butterfly[turn][from][to][squares], bonus);
        update(&self.pawn[index.pawn][index.column], bonus);
    }

    /// Updates a move's continuation history after the move before it only.
    pub fn update_reply(&self, piece_to: PieceTo, index: &QuietIndex, bonus: i32) {
        if piece_to != PieceTo::NONE {
            update(&self.continuation[piece_to.index()][index.column], bonus);
        }
    }

    /// The history of a capture or promotion.
    #[inline]
    pub fn capture(&self, position: &Position, mv: Move) -> i32 {
        self.capture[piece_square(position, mv)][victim(position, mv).index()].get()
    }

    /// Where a noisy move's history entry lies.
    #[inline]
    pub fn capture_index(position: &Position, mv: Move) -> CaptureIndex {
        CaptureIndex(piece_square(position, mv) as u16, victim(position, mv).index() as u8)
    }

    /// Updates the history of a capture or promotion whose position is gone.
    pub fn update_capture_at(&self, CaptureIndex(row, victim): CaptureIndex, bonus: i32) {
        update(&self.capture[row as usize][victim as usize], bonus);
    }

    /// Updates a quiet move's continuation history after each of the moves before it.
    pub fn update_continuation(
        &self,
        context: &ContinuationContext,
        position: &Position,
        mv: Move,
        [near, far]: [i32; 2],
    ) {
        let column = piece_square(position, mv);
        for (index, &piece_to) in context.iter().enumerate() {
            if piece_to != PieceTo::NONE {
                // The nearer moves say more.
                let share = if index < 2 { near } else { far };
                update(&self.continuation[piece_to.index()][column], share);
            }
        }
    }

    /// Updates the history of a capture or promotion.
    pub fn update_capture(&self, position: &Position, mv: Move, bonus: i32) {
        let victim = victim(position, mv).index();
        update(&self.capture[piece_square(position, mv)][victim], bonus);
    }
}

/// The butterfly history of a quiet move, by its squares and whether they are under attack.
#[inline]
pub(crate) fn by_squares(entries: &BySquares, threats: Bitboard, mv: Move) -> i32 {
    entries[usize::from(threats.has(mv.from()))][usize::from(threats.has(mv.to()))][from_to(mv)].get()
}

#[inline]
fn update(entry: &HistoryEntry, bonus: i32) {
    entry.update(bonus.clamp(-LIMIT, LIMIT), LIMIT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_kept_apart() {
        let position = Position::default();
        let moves = position.legal_moves();
        let (first, second) = (moves[0], moves[1]);
        let histories = Histories::default();
        let piece_to = PieceTo::new(Piece::BlackKnight, second);
        let context = [piece_to, PieceTo::NONE, PieceTo::NONE, PieceTo::NONE];
        histories.update_quiet(&Histories::quiet_index(&position, Bitboard::EMPTY, first), 500);
        histories.update_continuation(&context, &position, first, [300, 150]);
        let squares = |turn, threats, mv| by_squares(histories.butterfly(turn), threats, mv);
        let after = |piece_to| histories.continuation(piece_to)[piece_square(&position, first)].get();
        assert_eq!(squares(Color::White, Bitboard::EMPTY, first), 500);
        assert_eq!(squares(Color::Black, Bitboard::EMPTY, first), 0);
        assert_eq!(squares(Color::White, first.to().bitboard(), first), 0);
        assert_eq!(squares(Color::White, Bitboard::EMPTY, second), 0);
        assert_eq!(after(piece_to), 300);
        assert_eq!(after(PieceTo::NONE), 0);
        histories.clear();
        assert_eq!(after(piece_to), 0);
    }
}
