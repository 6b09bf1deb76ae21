//! Which squares a piece attacks.
//!
//! Leapers come from tables computed at compile time. Sliders have two twins behind one signature: [`magic`]
//! for every CPU and [`pext`] where BMI2 is part of the build target. PEXT serves when it is there, unless the
//! feature `magic` asks for the other (some older CPUs have a slow PEXT).

pub mod magic;
mod magics;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub mod pext;
pub(crate) mod slow;

use crate::types::{Bitboard, Color, PieceKind, Square};

#[cfg(any(feature = "magic", not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
use magic as sliders;
#[cfg(all(not(feature = "magic"), target_arch = "x86_64", target_feature = "bmi2"))]
use pext as sliders;

/// Which of the two slider implementations this build uses.
pub const SLIDERS: &str =
    if cfg!(all(not(feature = "magic"), target_arch = "x86_64", target_feature = "bmi2")) {
        "pext"
    } else {
        "magic"
    };

const fn leaper(steps: [(i8, i8); 8]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 8 {
            if let Some(target) = Square::wrapping(square).offset(steps[i].0, steps[i].1) {
                table[square as usize].0 |= target.bitboard().0;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] =
    leaper([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] = leaper([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);

#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// What a pawn of `color` on `square` attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    pawns(color, square.bitboard())
}

/// What a set of pawns of `color` attacks.
#[inline(always)]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let forward = match color {
        Color::White => pawns.north(),
        Color::Black => pawns.south(),
    };
    forward.east() | forward.west()
}

#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    sliders::rook(square, occupied)
}

#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    sliders::bishop(square, occupied)
}

#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// Attacks of any piece but a pawn, whose attacks depend on its colour (it answers none here).
#[inline(always)]
pub fn piece(kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => Bitboard::EMPTY,
        PieceKind::Knight => knight(square),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::Queen => queen(square, occupied),
        PieceKind::King => king(square),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Slider = fn(Square, Bitboard) -> Bitboard;

    /// Every square and every relevant occupancy, with the irrelevant squares once empty and once full.
    fn check(slider: Slider, directions: [(i8, i8); 4]) {
        for square in Square::all() {
            let mask = slow::relevant(square.index(), directions);
            let mut occupied = 0;
            loop {
                let expected = Bitboard(slow::sliding(square.index(), occupied, directions));
                assert_eq!(slider(square, Bitboard(occupied)), expected);
                let edges = !mask & !expected.0;
                assert_eq!(slider(square, Bitboard(occupied | edges)), expected);
                occupied = slow::next_subset(occupied, mask);
                if occupied == 0 {
                    break;
                }
            }
        }
    }

    #[test]
    fn magic_is_exact_everywhere() {
        check(magic::rook, slow::ROOK_DIRECTIONS);
        check(magic::bishop, slow::BISHOP_DIRECTIONS);
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[test]
    fn pext_is_exact_everywhere() {
        check(pext::rook, slow::ROOK_DIRECTIONS);
        check(pext::bishop, slow::BISHOP_DIRECTIONS);
    }

    #[test]
    fn leapers_in_the_corner_and_the_centre() {
        let e4 = Square::wrapping(28);
        assert_eq!((knight(Square::A1).count(), knight(e4).count()), (2, 8));
        assert_eq!((king(Square::H8).count(), king(e4).count()), (3, 8));
        assert_eq!(
            pawn(Color::White, e4).into_iter().map(|s| s.to_string()).collect::<Vec<_>>(),
            ["d5", "f5"]
        );
        assert_eq!(pawn(Color::Black, Square::A8).count(), 1);
    }
}
