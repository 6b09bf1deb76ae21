//! The evaluation the search calls: the reference's terms from tables, coverage by [`fast_coverage`], vector sums.

use laser::{Colour, Compass, Position, Square};

use super::beam_path::{BeamPath, Beams};
use super::coverage::{Lengths, UNREACHED};
use super::geometry::Tables;
use super::reference::Terms;
use super::weights::Weights;
use super::{coverage, fast_coverage, terms};

/// An evaluation with its weights and tables. Two evaluators with different weights live side by side.
#[derive(Clone)]
pub struct Evaluator {
    weights: Weights,
    tables: Tables,
    plain: bool,
}

/// Lanes of the vector sum; fixed, so that the order of additions (and the result) is the same on every machine.
const LANES: usize = 16;

impl Evaluator {
    pub fn new(weights: Weights) -> Evaluator {
        Evaluator { weights, tables: Tables::new(weights.central, weights.face), plain: false }
    }

    /// Computes every term by its definition, to measure what the faster ways save.
    pub fn plain(weights: Weights) -> Evaluator {
        Evaluator { plain: true, ..Evaluator::new(weights) }
    }

    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Centipawns from the side to move; `None` once a king is gone.
    pub fn evaluate(&self, position: &Position) -> Option<i32> {
        let beams = Beams::of(position);
        self.evaluate_with(position, &beams)
    }

    /// [`Evaluator::evaluate`] when the beams are known already.
    #[inline]
    pub fn evaluate_with(&self, position: &Position, beams: &Beams) -> Option<i32> {
        Some((self.rough(position, beams)? + self.coverage_balance(position, beams)?) / 100)
    }

    /// The value without coverage in fine units from the side to move, at a tenth of the price.
    #[inline]
    pub fn rough(&self, position: &Position, beams: &Beams) -> Option<i32> {
        let side = position.side_to_move();
        Some(self.cheap(position, side, beams)? - self.cheap(position, !side, beams)?)
    }

    /// The other part: coverage in fine units from the side to move.
    #[inline]
    pub fn coverage_balance(&self, position: &Position, beams: &Beams) -> Option<i32> {
        let side = position.side_to_move();
        let reach = |colour| {
            let [coverage, siege, threat] = self.reach(position, colour, beams.path(colour))?;
            Some(coverage + siege + threat)
        };
        Some(reach(side)? - reach(!side)?)
    }

    /// A side's terms; only coverage can differ from [`Terms::reference`], by the rounding of another order of adding.
    pub fn terms(&self, position: &Position, colour: Colour) -> Option<Terms> {
        let beams = Beams::of(position);
        let [coverage, siege, threat] = self.reach(position, colour, beams.path(colour))?;
        Some(Terms { coverage, siege, threat, ..self.cheap_terms(position, colour, &beams)? })
    }

    /// What follows from where a side's beam could go after one move: coverage, siege and threat.
    #[inline]
    fn reach(&self, position: &Position, colour: Colour, beam: &BeamPath) -> Option<[i32; 3]> {
        let Weights { coverage: weight, siege, threat, .. } = self.weights;
        if (weight, siege, threat) == (0, 0, 0) {
            return Some([0; 3]);
        }
        let own = position.king(colour)?;
        let enemy = position.king(!colour)?;
        let (lengths, sum) = if self.plain {
            let lengths = coverage::plain_lengths(position, colour);
            (lengths, coverage::reference_sum(&lengths, own, enemy))
        } else {
            let lengths = fast_coverage::lengths_along(position, colour, beam);
            (lengths, self.weigh(&lengths, own, enemy))
        };
        let (around, king) = terms::siege(&lengths, enemy);
        Some([(weight as f32 * sum) as i32, siege * around, threat * king])
    }

    #[inline]
    fn cheap(&self, position: &Position, colour: Colour, beams: &Beams) -> Option<i32> {
        if self.plain {
            return Terms::without_coverage(position, colour, &self.weights).map(|terms| terms.sum());
        }
        self.cheap_terms(position, colour, beams).map(|terms| terms.sum())
    }

    /// Everything but coverage.
    #[inline]
    pub fn cheap_terms(&self, position: &Position, colour: Colour, beams: &Beams) -> Option<Terms> {
        let own = position.king(colour)?;
        let enemy = position.king(!colour)?;
        let pawns = position.pawns(colour);
        let central = pawns.into_iter().map(|pawn| self.tables.central[pawn.index()]).sum();
        let (files, ranks) = (enemy.file() - own.file(), enemy.rank() - own.rank());
        let ahead = match position.facing(colour)? {
            Compass::North => ranks,
            Compass::East => files,
            Compass::South => -ranks,
            Compass::West => -files,
        };
        let way = (files.abs() + ranks.abs()) as usize & 15;
        let free = terms::free_squares(position, colour, own, beams.path(!colour).path);
        Some(Terms {
            material: self.weights.material * pawns.len() as i32,
            between: self.weights.between * terms::between(pawns, own, enemy),
            central,
            face: self.tables.face[(ahead + 7) as usize & 15][way],
            aggressive: terms::aggressive(own, enemy, self.weights.aggressive),
            mobility: self.weights.mobility * free,
            ..Terms::default()
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
