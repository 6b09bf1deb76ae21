//! Playing on the opponent's mistakes.
//!
//! [`expectimax`] is the thesis this began with, as faithfully as its text allows: an expectimax between the best and the worst
//! reply. [`bounded`] is what became of it: an expectation over modelled replies, on top of plain search, under a budget.
//! [`thesis_formulas`] holds the thesis's other formulas, with what is wrong with them.

pub mod bounded;
mod candidate;
mod choice;
pub mod expectimax;
pub mod thesis_formulas;

pub use bounded::{Bounded, PLAIN_SHARE};
pub use choice::{Choice, SpeculationSettings};
pub use expectimax::{Expectimax, ExpectimaxResult};
