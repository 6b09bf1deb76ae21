//! The terms that look at kings and pawns one by one.

use laser::{Bitboard, Colour, Compass, Position, Square};

use super::coverage::{Lengths, UNREACHED};
use super::geometry;

/// Pawns inside the closed rectangle spanned by the kings, by intersecting sets of files and ranks.
#[inline]
pub fn between(pawns: Bitboard, own: Square, enemy: Square) -> i32 {
    let (west, east) = (own.file().min(enemy.file()), own.file().max(enemy.file()));
    let (south, north) = (own.rank().min(enemy.rank()), own.rank().max(enemy.rank()));
    let files = (0xff_u64 >> (7 - east) & 0xff << west) * 0x0101_0101_0101_0101;
    let ranks = u64::MAX >> (8 * (7 - north)) & u64::MAX << (8 * south);
    (pawns.0 & files & ranks).count_ones() as i32
}

/// [`between`] by its definition, pawn by pawn.
pub fn between_plain(pawns: Bitboard, own: Square, enemy: Square) -> i32 {
    let inside = |low: i32, high: i32, value: i32| low.min(high) <= value && value <= low.max(high);
    pawns
        .into_iter()
        .filter(|pawn| {
            inside(own.file(), enemy.file(), pawn.file()) && inside(own.rank(), enemy.rank(), pawn.rank())
        })
        .count() as i32
}

/// How central the pawns stand, each truncated by itself.
pub fn central(pawns: Bitboard, weight: i32) -> i32 {
    pawns.into_iter().map(|pawn| geometry::central(pawn, weight)).sum()
}

/// How straight a king looks at the other: the share of the way that lies ahead.
pub fn face(own: Square, facing: Compass, enemy: Square, weight: i32) -> i32 {
    let (files, ranks) = (enemy.file() - own.file(), enemy.rank() - own.rank());
    let ahead = match facing {
        Compass::North => ranks,
        Compass::East => files,
        Compass::South => -ranks,
        Compass::West => -files,
    };
    weight * ahead / (files.abs() + ranks.abs()).max(1)
}

/// The rectangle from a king to the corner that points away from the enemy king, as a share of the board.
pub fn aggressive(own: Square, enemy: Square, weight: i32) -> i32 {
    let (files, ranks) = (enemy.file() - own.file(), enemy.rank() - own.rank());
    let (west, east) = (own.file() + 1, 8 - own.file());
    let (south, north) = (own.rank() + 1, 8 - own.rank());
    // The order of these cases decides when the kings share a file or rank; it is the reference's.
    let area = if files >= 0 && ranks >= 0 {
        west * south
    } else if files <= 0 && ranks >= 0 {
        east * south
    } else if files <= 0 && ranks <= 0 {
        east * north
    } else {
        west * north
    };
    weight * area / 64
}

/// Squares on and around a king that the enemy's beam, fired now, does not touch.
pub fn mobility(position: &Position, colour: Colour, king: Square) -> i32 {
    free_squares(position, colour, king, position.shot(!colour).path)
}

/// [`mobility`] when the enemy's beam is known already.
#[inline]
pub fn free_squares(position: &Position, colour: Colour, king: Square, beam: Bitboard) -> i32 {
    let enemy_king = position.king(!colour).map_or(Bitboard::EMPTY, Bitboard::of);
    let around = Bitboard::neighbours(king) | Bitboard::of(king);
    (around & !(beam | enemy_king)).len() as i32
}

/// How many squares on and around the enemy king a side's beam could reach after one move, and whether the king's own is
/// among them.
#[inline]
pub fn siege(lengths: &Lengths, enemy: Square) -> (i32, i32) {
    let reached = |square: Square| i32::from(lengths[square.index()] != UNREACHED);
    let king = reached(enemy);
    (Bitboard::neighbours(enemy).into_iter().map(reached).sum::<i32>() + king, king)
}
