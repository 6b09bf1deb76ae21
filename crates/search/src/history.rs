//! What past searching taught about moves: tables of scores with gravity.
//!
//! The tables may be shared: a clone of [`Histories`] stands for the same tables. Entries are relaxed
//! atomics, which cost one worker nothing; of two workers that teach the same entry at the same
//! moment one may be lost, as little as a lesson is worth.

use chess::{Bitboard, Color, Move, MoveKind, Piece, PieceKind, Position};
use kernel::history::with_gravity;
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// No entry ever leaves plus or minus this.
pub const LIMIT: i32 = 16_384;

const PIECE_SQUARES: usize = 12 * 64;

/// A piece and the square it went to: the row of the continuation table for the moves after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footprint(u16);

impl Footprint {
    /// No move was made here; its row is never written and stays zero.
    pub const NONE: Self = Self(PIECE_SQUARES as u16);

    /// The footprint of a piece on a square.
    #[inline]
    pub fn new(piece: Piece, mv: Move) -> Self {
        Self((piece.index() * 64 + mv.to().index()) as u16)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a quiet move's own records lie, once the position it was made in is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    butterfly: [u16; 4],
    pawn: usize,
    column: usize,
}

/// The footprints of the moves 1, 2, 4 and 6 plies back.
pub type Trail = [Footprint; 4];

/// One score.
#[derive(Default)]
pub(crate) struct Lesson(AtomicI16);

impl Lesson {
    #[inline]
    pub(crate) fn get(&self) -> i32 {
        i32::from(self.0.load(Relaxed))
    }

    #[inline]
    pub(crate) fn nudge(&self, bonus: i32, limit: i32) {
        self.0.store(with_gravity(self.0.load(Relaxed), bonus, limit), Relaxed);
    }

    #[inline]
    pub(crate) fn clear(&self) {
        self.0.store(0, Relaxed);
    }
}

/// One side's quiet moves by whether origin and target are under attack, and by squares.
type BySquares = [[[Lesson; 4096]; 2]; 2];
/// Moves by piece and target.
type Row = [Lesson; PIECE_SQUARES];
/// Pawn structures told apart by the pawn history.
const PAWN_ROWS: usize = 512;

/// A worker's move histories, its own or a team's.
#[derive(Clone)]
pub struct Histories {
    butterfly: Arc<[BySquares; 2]>,
    capture: Arc<[[Lesson; 6]; PIECE_SQUARES]>,
    continuation: Arc<[Row]>,
    pawn: Arc<[Row]>,
}

impl Default for Histories {
    fn default() -> Self {
        let rows = |count| (0..count).map(|_| [const { Lesson(AtomicI16::new(0)) }; PIECE_SQUARES]).collect();
        Self {
            butterfly: Arc::new(
                [const { [const { [const { [const { Lesson(AtomicI16::new(0)) }; 4096] }; 2] }; 2] }; 2],
            ),
            capture: Arc::new([const { [const { Lesson(AtomicI16::new(0)) }; 6] }; PIECE_SQUARES]),
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
        self.butterfly.iter().flatten().flatten().flatten().for_each(Lesson::clear);
        self.capture.iter().flatten().for_each(Lesson::clear);
        self.continuation.iter().flatten().for_each(Lesson::clear);
        self.pawn.iter().flatten().for_each(Lesson::clear);
    }

    /// The records of one side's quiet moves, for [`by_squares`].
    #[inline]
    pub(crate) fn butterfly(&self, turn: Color) -> &BySquares {
        &self.butterfly[turn.index()]
    }

    /// The records of quiet moves, by [`piece_square`], after one of the moves before them.
    #[inline]
    pub(crate) fn continuation(&self, footprint: Footprint) -> &Row {
        &self.continuation[footprint.index()]
    }

    /// The records of quiet moves, by [`piece_square`], with these pawns.
    #[inline]
    pub(crate) fn pawn(&self, position: &Position) -> &Row {
        &self.pawn[pawn_row(position)]
    }

    /// Where a quiet move's records lie.
    #[inline]
    pub fn record(position: &Position, threats: Bitboard, mv: Move) -> Record {
        let flag = |square| u16::from(threats.has(square));
        Record {
            butterfly: [position.turn() as u16, flag(mv.from()), flag(mv.to()), from_to(mv) as u16],
            pawn: pawn_row(position),
            column: piece_square(position, mv),
        }
    }

    /// Learns about a quiet move's squares, and about it with these pawns.
    pub fn teach_record(&self, record: &Record, bonus: i32) {
        let [turn, from, to, squares] = record.butterfly.map(usize::from);
        nudge(&self.butterfly[turn][from][to][squares], bonus);
        nudge(&self.pawn[record.pawn][record.column], bonus);
    }

    /// Learns about a move after the move before it only.
    pub fn teach_reply(&self, footprint: Footprint, record: &Record, bonus: i32) {
        if footprint != Footprint::NONE {
            nudge(&self.continuation[footprint.index()][record.column], bonus);
        }
    }

    /// The record of a capture or promotion.
    #[inline]
    pub fn capture(&self, position: &Position, mv: Move) -> i32 {
        self.capture[piece_square(position, mv)][victim(position, mv).index()].get()
    }

    /// Learns about a quiet move after each of the moves before it.
    pub fn teach_continuation(&self, trail: &Trail, position: &Position, mv: Move, bonus: i32) {
        let column = piece_square(position, mv);
        for (index, &footprint) in trail.iter().enumerate() {
            if footprint != Footprint::NONE {
                // The nearer moves say more.
                let share = if index < 2 { bonus } else { bonus / 2 };
                nudge(&self.continuation[footprint.index()][column], share);
            }
        }
    }

    /// Learns about a capture or promotion.
    pub fn teach_capture(&self, position: &Position, mv: Move, bonus: i32) {
        let victim = victim(position, mv).index();
        nudge(&self.capture[piece_square(position, mv)][victim], bonus);
    }
}

/// The record of a quiet move by its squares and whether they are under attack.
#[inline]
pub(crate) fn by_squares(records: &BySquares, threats: Bitboard, mv: Move) -> i32 {
    records[usize::from(threats.has(mv.from()))][usize::from(threats.has(mv.to()))][from_to(mv)].get()
}

#[inline]
fn nudge(entry: &Lesson, bonus: i32) {
    entry.nudge(bonus.clamp(-LIMIT, LIMIT), LIMIT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_kept_apart() {
        let position = Position::default();
        let moves = position.legal_moves();
        let (first, second) = (moves[0], moves[1]);
        let histories = Histories::default();
        let footprint = Footprint::new(Piece::BlackKnight, second);
        let trail = [footprint, Footprint::NONE, Footprint::NONE, Footprint::NONE];
        histories.teach_record(&Histories::record(&position, Bitboard::EMPTY, first), 500);
        histories.teach_continuation(&trail, &position, first, 300);
        let squares = |turn, threats, mv| by_squares(histories.butterfly(turn), threats, mv);
        let after = |footprint| histories.continuation(footprint)[piece_square(&position, first)].get();
        assert_eq!(squares(Color::White, Bitboard::EMPTY, first), 500);
        assert_eq!(squares(Color::Black, Bitboard::EMPTY, first), 0);
        assert_eq!(squares(Color::White, first.to().bitboard(), first), 0);
        assert_eq!(squares(Color::White, Bitboard::EMPTY, second), 0);
        assert_eq!(after(footprint), 300);
        assert_eq!(after(Footprint::NONE), 0);
        histories.clear();
        assert_eq!(after(footprint), 0);
    }
}
