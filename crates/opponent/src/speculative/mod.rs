//! Speculative play: choosing moves against which people go wrong.
//!
//! [`expectimax`] mixes the best and the worst reply, as a master's thesis proposed; it is the baseline. [`bounded`] takes an
//! expectation over modelled replies on top of normal search, within a budget of concessions. [`thesis_formulas`] keeps
//! other formulas of the thesis, with what is wrong with them.

pub mod bounded;
mod candidate;
mod choice;
pub mod expectimax;
pub mod thesis_formulas;

pub use bounded::{Bounded, PLAIN_SHARE};
pub use choice::{Choice, SpeculationSettings, Strength};
pub use expectimax::{Expectimax, ExpectimaxResult};
