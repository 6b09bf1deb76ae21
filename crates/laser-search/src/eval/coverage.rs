//! Laser coverage: the squares a side's beam could reach after one move, and how soon.
//!
//! The definition ([`plain_lengths`]) makes every move and follows every beam square by square.

use laser::{Colour, Compass, Position, Square};

use super::geometry;

/// The shortest beam length at which each square can be reached; [`UNREACHED`] where none can.
pub type Lengths = [u8; 64];

/// Longer than any beam: at most 64 squares entered twice, plus two for each of 14 reflections.
pub const UNREACHED: u8 = 255;

/// A beam that leaves an enemy pawn is two squares older than its way.
pub const ENEMY_REFLECTION: u8 = 2;

/// Coverage by definition: every move, every beam, every square.
pub fn plain_lengths(position: &Position, colour: Colour) -> Lengths {
    let mut lengths = [UNREACHED; 64];
    position.for_each_move_of(colour, |mv| {
        let mut next = *position;
        next.place(mv);
        walk(&next, colour, &mut lengths);
    });
    lengths
}

/// Follows one beam, square by square, and keeps the minimum.
fn walk(position: &Position, colour: Colour, lengths: &mut Lengths) {
    let Some(mut square) = position.king(colour) else { return };
    let mut direction = position.facing(colour).unwrap_or(Compass::North);
    let mut length = 0;
    loop {
        let (file, rank) = direction.offset();
        let Some(next) = Square::at(square.file() + file, square.rank() + rank) else { return };
        square = next;
        length += 1;
        let best = &mut lengths[square.index()];
        *best = length.min(*best);
        let Some(piece) = position.piece_at(square) else { continue };
        let Some(turned) = position.mirrors().deflect(square, direction) else { return };
        direction = turned;
        if piece.colour() != colour {
            length += ENEMY_REFLECTION;
        }
    }
}

/// Weighs the lengths in the reference's order and precision: files first, then each square of the ring, all added to one
/// sum of 32 bits. A subtotal of the ring would round differently.
pub fn reference_sum(lengths: &Lengths, own: Square, enemy: Square) -> f32 {
    let mut sum = 0.0_f32;
    for file in 0..8 {
        for square in (0..8).filter_map(|rank| Square::at(file, rank)) {
            let length = lengths[square.index()];
            if length != UNREACHED {
                let share = own.manhattan(square) as f32 / f32::from(length);
                sum +=
                    share * geometry::mult_dist(square.file() - enemy.file(), square.rank() - enemy.rank());
            }
        }
    }
    let ring = geometry::ring();
    ring.fold(sum, |sum, (file, rank)| sum + geometry::mult_dist(file - enemy.file(), rank - enemy.rank()))
}
