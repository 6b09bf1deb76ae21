//! The terms of the 2018 reference by their definitions.

use laser::{Colour, Position};

use super::weights::Weights;
use super::{coverage, terms};

/// One side's terms in fine units; coverage already weighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    pub material: i32,
    pub between: i32,
    pub central: i32,
    pub face: i32,
    pub aggressive: i32,
    pub coverage: i32,
    pub mobility: i32,
    pub siege: i32,
    pub threat: i32,
}

impl Terms {
    /// The terms of a side, coverage summed in the reference's own order.
    pub fn reference(position: &Position, colour: Colour, weights: &Weights) -> Option<Terms> {
        let own = position.king(colour)?;
        let enemy = position.king(!colour)?;
        let lengths = coverage::plain_lengths(position, colour);
        let coverage = coverage::reference_sum(&lengths, own, enemy);
        let (around, king) = terms::siege(&lengths, enemy);
        Some(Terms {
            coverage: (weights.coverage as f32 * coverage) as i32,
            siege: weights.siege * around,
            threat: weights.threat * king,
            ..Terms::without_coverage(position, colour, weights)?
        })
    }

    /// Everything but coverage, which costs as much as the rest together.
    pub fn without_coverage(position: &Position, colour: Colour, weights: &Weights) -> Option<Terms> {
        let own = position.king(colour)?;
        let enemy = position.king(!colour)?;
        let pawns = position.pawns(colour);
        let mobility =
            if weights.mobility == 0 { 0 } else { weights.mobility * terms::mobility(position, colour, own) };
        Some(Terms {
            material: weights.material * pawns.len() as i32,
            between: weights.between * terms::between_plain(pawns, own, enemy),
            central: terms::central(pawns, weights.central),
            face: terms::face(own, position.facing(colour)?, enemy, weights.face),
            aggressive: terms::aggressive(own, enemy, weights.aggressive),
            mobility,
            ..Terms::default()
        })
    }

    pub fn sum(&self) -> i32 {
        self.material
            + self.between
            + self.central
            + self.face
            + self.aggressive
            + self.coverage
            + self.mobility
            + self.siege
            + self.threat
    }
}

/// The reference evaluation in centipawns from the side to move; `None` once a king is gone.
pub fn reference(position: &Position, weights: &Weights) -> Option<i32> {
    let white = Terms::reference(position, Colour::White, weights)?.sum();
    let black = Terms::reference(position, Colour::Black, weights)?.sum();
    let score = (white - black) / 100;
    Some(if position.side_to_move() == Colour::White { score } else { -score })
}
