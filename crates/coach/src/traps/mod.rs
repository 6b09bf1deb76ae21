//! Gambits and traps by rating: opening moves that cost little against the best reply and win much against the usual ones.
//!
//! Candidates come from what people play ([`human_model::openings`]), their replies from the same counts or the reply model, worths from
//! an [`human_model::oracle`]. A move is kept where P(mistake) x gain exceeds its cost, and only after a deeper search has
//! confirmed the cost and every mistake that is claimed.

mod book;
mod finder;
mod text;

pub use book::polyglot_book;
pub use finder::{Mistake, Trap, TrapFinder, TrapKind, TrapLimits};
pub use text::{json, numbered, text};
