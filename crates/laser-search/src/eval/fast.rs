//! The evaluation the search calls: the reference's terms from tables, coverage by [`sweep`], vector sums.

use laser::{Colour, Position, Square};

use super::coverage::{Lengths, UNREACHED};
use super::geometry::Tables;
use super::{Terms, Weights, sweep, terms};

/// An evaluation with its weights and tables. Two evaluators with different weights live side by side.
#[derive(Clone)]
pub struct Evaluator {
    weights: Weights,
    tables: Tables,
}

/// Lanes of the vector sum; fixed, so that the order of additions (and the result) is the same on every machine.
const LANES: usize = 16;

impl Evaluator {
    pub fn new(weights: Weights) -> Evaluator {
        Evaluator { weights, tables: Tables::new(weights.central) }
    }

    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Centipawns from the side to move; `None` once a king is gone.
    pub fn evaluate(&self, position: &Position) -> Option<i32> {
        let side = position.side_to_move();
        let own = self.terms(position, side)?.sum();
        let other = self.terms(position, !side)?.sum();
        Some((own - other) / 100)
    }

    /// [`Evaluator::evaluate`] without coverage, at a tenth of the price.
    pub fn rough(&self, position: &Position) -> Option<i32> {
        let side = position.side_to_move();
        let own = self.cheap_terms(position, side)?.sum();
        let other = self.cheap_terms(position, !side)?.sum();
        Some((own - other) / 100)
    }

    /// A side's terms; only coverage can differ from [`Terms::reference`], by the rounding of another order of adding.
    pub fn terms(&self, position: &Position, colour: Colour) -> Option<Terms> {
        let own = position.king(colour)?;
        let enemy = position.king(!colour)?;
        let lengths = sweep::lengths(position, colour);
        let coverage = self.weights.coverage as f32 * self.weigh(&lengths, own, enemy);
        Some(Terms { coverage: coverage as i32, ..self.cheap_terms(position, colour)? })
    }

    /// Everything but coverage.
    pub fn cheap_terms(&self, position: &Position, colour: Colour) -> Option<Terms> {
        let own = position.king(colour)?;
        let enemy = position.king(!colour)?;
        let pawns = position.pawns(colour);
        let central = pawns.into_iter().map(|pawn| self.tables.central[pawn.index()]).sum();
        let mobility = match self.weights.mobility {
            0 => 0,
            weight => weight * terms::mobility(position, colour, own),
        };
        Some(Terms {
            material: self.weights.material * pawns.len() as i32,
            between: self.weights.between * terms::between(pawns, own, enemy),
            central,
            face: terms::face(own, position.facing(colour)?, enemy, self.weights.face),
            aggressive: terms::aggressive(own, enemy, self.weights.aggressive),
            coverage: 0,
            mobility,
        })
    }

    /// Weighs lengths: what [`super::coverage::reference_sum`] computes, in lanes.
    pub fn weigh(&self, lengths: &Lengths, own: Square, enemy: Square) -> f32 {
        let near = &self.tables.mult_dist[enemy.index()];
        let far = &self.tables.manhattan[own.index()];
        let mut sums = [0.0_f32; LANES];
        let chunks = lengths.as_chunks::<LANES>().0.iter();
        for ((lengths, far), near) in chunks.zip(far.as_chunks::<LANES>().0).zip(near.as_chunks::<LANES>().0)
        {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let share = far[lane] / f32::from(lengths[lane]);
                *sum += if lengths[lane] == UNREACHED { 0.0 } else { share * near[lane] };
            }
        }
        let mut width = LANES / 2;
        while width > 0 {
            for lane in 0..width {
                sums[lane] += sums[lane + width];
            }
            width /= 2;
        }
        sums[0] + self.tables.ring[enemy.index()]
    }
}
