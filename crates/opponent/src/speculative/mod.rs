//! Playing on the opponent's mistakes.
//!
//! [`seed`] is the thesis this began with, as faithfully as its text allows: an expectimax between the best and the worst
//! reply. [`bounded`] is what became of it: an expectation over modelled replies, on top of plain search, under a budget.
//! [`experiments`] holds the thesis's other formulas, with what is wrong with them.

pub mod bounded;
pub mod experiments;
mod hearing;
pub mod seed;

pub use bounded::{Bounded, Choice, PLAIN_SHARE, Terms};
pub use seed::{Gambit, Thought};
