//! Lines through the board, as tables computed at compile time.

use crate::attacks::slow;
use crate::types::{Bitboard, Square};

const fn lines(directions: [(i8, i8); 4]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Bitboard(slow::sliding(square, 0, directions));
        square += 1;
    }
    table
}

static ROOK_LINES: [Bitboard; 64] = lines(slow::ROOK_DIRECTIONS);
static BISHOP_LINES: [Bitboard; 64] = lines(slow::BISHOP_DIRECTIONS);
static DIAGONAL: [Bitboard; 64] = lines([(1, 1), (-1, -1), (1, 1), (-1, -1)]);
static ANTI_DIAGONAL: [Bitboard; 64] = lines([(1, -1), (-1, 1), (1, -1), (-1, 1)]);

/// Both tables in one pass: the squares strictly between two aligned squares, and the whole line through them.
const fn pairs() -> ([[Bitboard; 64]; 64], [[Bitboard; 64]; 64]) {
    let mut between = [[Bitboard::EMPTY; 64]; 64];
    let mut through = [[Bitboard::EMPTY; 64]; 64];
    let axes: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
    let mut from = 0;
    while from < 64 {
        let mut axis = 0;
        while axis < 4 {
            let (files, ranks) = axes[axis];
            let both = [(files, ranks), (-files, -ranks), (files, ranks), (-files, -ranks)];
            let line = slow::sliding(from, 0, both) | 1 << from;
            let mut sign = -1;
            while sign <= 1 {
                let mut passed = 0;
                let mut step = 1;
                while let Some(to) =
                    Square::wrapping(from as u8).offset(files * sign * step, ranks * sign * step)
                {
                    between[from][to.index()] = Bitboard(passed);
                    through[from][to.index()] = Bitboard(line);
                    passed |= to.bitboard().0;
                    step += 1;
                }
                sign += 2;
            }
            axis += 1;
        }
        from += 1;
    }
    (between, through)
}

const PAIRS: ([[Bitboard; 64]; 64], [[Bitboard; 64]; 64]) = pairs();
static BETWEEN: [[Bitboard; 64]; 64] = PAIRS.0;
static THROUGH: [[Bitboard; 64]; 64] = PAIRS.1;

/// Squares strictly between two squares on one line; empty when they share none.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares, edge to edge, both included; empty when they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    THROUGH[a.index()][b.index()]
}

/// Rook moves on an empty board.
#[inline(always)]
pub fn rook_lines(square: Square) -> Bitboard {
    ROOK_LINES[square.index()]
}

/// Bishop moves on an empty board.
#[inline(always)]
pub fn bishop_lines(square: Square) -> Bitboard {
    BISHOP_LINES[square.index()]
}

/// The diagonal rising to the right, without the square itself.
#[inline(always)]
pub fn diagonal(square: Square) -> Bitboard {
    DIAGONAL[square.index()]
}

/// The diagonal falling to the right, without the square itself.
#[inline(always)]
pub fn anti_diagonal(square: Square) -> Bitboard {
    ANTI_DIAGONAL[square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        Square::parse(name).unwrap()
    }

    fn names(set: Bitboard) -> Vec<String> {
        set.into_iter().map(|s| s.to_string()).collect()
    }

    #[test]
    fn between_and_line() {
        assert_eq!(names(between(square("a1"), square("d4"))), ["b2", "c3"]);
        assert_eq!(names(between(square("h5"), square("e5"))), ["f5", "g5"]);
        assert!(between(square("a1"), square("b3")).is_empty());
        assert_eq!(line(square("c3"), square("f6")).count(), 8);
        assert_eq!(names(line(square("a7"), square("b8"))), ["a7", "b8"]);
        assert!(line(square("a1"), square("b3")).is_empty());
    }

    #[test]
    fn symmetric() {
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
            }
        }
    }
}
