//! Killer heuristic (Huberman 1968) and history heuristic (Schaeffer 1983): how moves did elsewhere in the tree.

use kernel::MAX_PLY;
use kernel::history::with_gravity;
use laser::{Colour, Move, Piece, Position, Square};

/// Entries stay within this.
const LIMIT: i32 = 8192;
/// A piece in its orientation on a square.
const PIECE_SQUARES: usize = Piece::COUNT * 64;

/// A piece (as it stands after the move) on its last square: what continuation histories are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// The piece and the square of a move of `position`.
    #[inline]
    pub(crate) fn of(position: &Position, mv: Move) -> PieceTo {
        PieceTo::new(position.mover_after(mv).code(), mv.to())
    }

    #[inline]
    fn new(code: usize, square: Square) -> PieceTo {
        PieceTo((code * 64 + square.index()) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0) % PIECE_SQUARES
    }
}

/// Histories of one worker.
pub(crate) struct Histories {
    killers: Vec<[Option<Move>; 2]>,
    /// By side and the move's own bits.
    moves: Box<[[i16; 1 << Move::BITS]; 2]>,
    /// By the piece and its target square.
    piece_to_history: Box<[i16; PIECE_SQUARES]>,
    /// By piece and target square of the move before, and of this one.
    continuation: Vec<[i16; PIECE_SQUARES]>,
}

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            killers: vec![[None; 2]; MAX_PLY + 1],
            moves: Box::new([[0; 1 << Move::BITS]; 2]),
            piece_to_history: Box::new([0; PIECE_SQUARES]),
            continuation: vec![[0; PIECE_SQUARES]; PIECE_SQUARES],
        }
    }

    pub(crate) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    pub(crate) fn clear_killers(&mut self, ply: usize) {
        if let Some(slot) = self.killers.get_mut(ply) {
            *slot = [None; 2];
        }
    }

    pub(crate) fn add_killer(&mut self, ply: usize, mv: Move) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
    }

    /// How well a move did: its own history, its piece's, and as an answer to the last move.
    #[inline]
    pub(crate) fn score(&self, side: Colour, mv: Move, piece_to: PieceTo, previous: Option<PieceTo>) -> i32 {
        let own = self.moves[side.index()][usize::from(mv.bits()) % (1 << Move::BITS)];
        let piece = self.piece_to_history[piece_to.index()];
        let answer = previous.map_or(0, |before| self.continuation[before.index()][piece_to.index()]);
        i32::from(own) + i32::from(piece) + i32::from(answer)
    }

    pub(crate) fn update(
        &mut self,
        side: Colour,
        mv: Move,
        piece_to: PieceTo,
        previous: Option<PieceTo>,
        bonus: i32,
    ) {
        let bonus = bonus.clamp(-LIMIT / 4, LIMIT / 4);
        let adjust = |entry: &mut i16| *entry = with_gravity(*entry, bonus, LIMIT);
        adjust(&mut self.moves[side.index()][usize::from(mv.bits()) % (1 << Move::BITS)]);
        adjust(&mut self.piece_to_history[piece_to.index()]);
        if let Some(before) = previous {
            adjust(&mut self.continuation[before.index()][piece_to.index()]);
        }
    }
}
