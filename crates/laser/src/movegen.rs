//! Generating moves: all of them, or only those that can change where the mover's beam goes.

use arrayvec::ArrayVec;

use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::moves::{Move, Turn};
use crate::position::Position;
use crate::square::Square;

/// No position has more moves: 8 pieces, each with 3 turns and 8 neighbours that hold an enemy and lead to 3 turns
/// and 7 further squares.
pub const MAX_MOVES: usize = 8 * (3 + 8 * (7 + 3));

/// Moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

impl Position {
    /// Calls `visit` with every move of the side to move, Ko not applied. None once the game is over.
    #[inline]
    pub fn for_each_move(&self, visit: impl FnMut(Move)) {
        self.for_each_move_of(self.side_to_move(), visit);
    }

    /// Every move a side could make if it were to move: coverage looks at both.
    #[inline]
    pub fn for_each_move_of(&self, colour: Colour, mut visit: impl FnMut(Move)) {
        if self.winner().is_some() {
            return;
        }
        let empty = !self.occupied();
        let enemies = self.pieces(!colour);
        for from in self.pieces(colour) {
            piece_moves(from, empty, enemies, &mut visit);
        }
    }

    /// The moves of a side that move its king or touch its beam `path`: no other move can change that beam.
    #[inline]
    pub fn for_each_beam_move_of(&self, colour: Colour, path: Bitboard, mut visit: impl FnMut(Move)) {
        if self.winner().is_some() {
            return;
        }
        let Some(king) = self.king(colour) else { return };
        let empty = !self.occupied();
        let enemies = self.pieces(!colour);
        // A king's moves, and those that lift a piece off the path, all count.
        let whole = self.pieces(colour) & (path | Bitboard::of(king));
        for from in whole {
            piece_moves(from, empty, enemies, &mut visit);
        }
        // Any other piece must step onto the path, swap an enemy off it, or go on to it after a swap.
        for from in self.pieces(colour) & !whole {
            let near = Bitboard::neighbours(from);
            for to in near & empty & path {
                visit(Move::step_unchecked(from, to));
            }
            if near.intersects(enemies) {
                self.for_each_swap_touching(from, path, &mut visit);
            }
        }
    }

    /// The other moves: those of a side that neither move its king nor touch `path`.
    #[inline]
    pub fn for_each_still_move_of(&self, colour: Colour, path: Bitboard, mut visit: impl FnMut(Move)) {
        if self.winner().is_some() {
            return;
        }
        let targets = !self.occupied() & !path;
        let enemies = self.pieces(!colour) & !path;
        for from in self.pawns(colour) & !path {
            piece_moves(from, targets, enemies, &mut visit);
        }
    }

    /// The swaps of one piece that touch `path`: from it, through it or onto it.
    #[inline]
    pub fn for_each_swap_touching(&self, from: Square, path: Bitboard, mut visit: impl FnMut(Move)) {
        let empty = !self.occupied();
        let own = if self.pieces(Colour::White).contains(from) { Colour::White } else { Colour::Black };
        for middle in Bitboard::neighbours(from) & self.pieces(!own) {
            if path.contains(from) || path.contains(middle) {
                swap_moves(from, middle, empty, true, &mut visit);
            } else {
                swap_moves(from, middle, empty & path, false, &mut visit);
            }
        }
    }

    /// Every move of the side to move, Ko not applied.
    pub fn moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_move(|mv| list.push(mv));
        list
    }

    /// Every legal move.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = self.moves();
        if let Some(forbidden) = self.ko_move() {
            list.retain(|mv| *mv != forbidden);
        }
        list
    }

    /// How many moves there are, Ko not applied, without listing them.
    pub fn move_count(&self) -> u64 {
        if self.winner().is_some() {
            return 0;
        }
        let empty = !self.occupied();
        let enemies = self.pieces(!self.side_to_move());
        let mut count = 0;
        for from in self.pieces(self.side_to_move()) {
            let near = Bitboard::neighbours(from);
            count += 3 + (near & empty).len();
            for middle in near & enemies {
                count += 3 + (Bitboard::neighbours(middle) & empty).len();
            }
        }
        u64::from(count)
    }
}

#[inline]
fn piece_moves(from: Square, empty: Bitboard, enemies: Bitboard, visit: &mut impl FnMut(Move)) {
    for turn in Turn::ALL {
        visit(Move::turn_in_place(from, turn));
    }
    let near = Bitboard::neighbours(from);
    for to in near & empty {
        visit(Move::step_unchecked(from, to));
    }
    for middle in near & enemies {
        swap_moves(from, middle, empty, true, visit);
    }
}

/// The moves that swap with one enemy and go on to one of `targets`, or turn if `turns`.
#[inline]
fn swap_moves(from: Square, middle: Square, targets: Bitboard, turns: bool, visit: &mut impl FnMut(Move)) {
    let base = Move::swap_base(from, middle);
    if turns {
        for turn in Turn::ALL {
            visit(Move::swap_turn_unchecked(base, turn));
        }
    }
    for to in Bitboard::neighbours(middle) & targets {
        visit(Move::swap_step_unchecked(base, middle, to));
    }
}
