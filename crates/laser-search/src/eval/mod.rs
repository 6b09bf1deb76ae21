//! Evaluation: the 2018 reference's terms, exactly, the faster ways to compute them, and two terms of our own.
//!
//! Terms are counted in the reference's own fine unit, a ten-thousandth of a pawn; [`Evaluator::evaluate`] gives
//! centipawns from the side to move.

pub mod beam_path;
pub mod coverage;
mod evaluator;
pub mod fast_coverage;
pub mod geometry;
mod reference;
pub mod terms;
pub mod weights;

pub use beam_path::Beams;
pub use coverage::Lengths;
pub use evaluator::Evaluator;
pub use reference::{Terms, reference};
pub use weights::Weights;
