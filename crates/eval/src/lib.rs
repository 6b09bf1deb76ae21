//! Chess evaluation: a number for a position, from the side that is to move.
//!
//! [`hce`] is the hand-crafted evaluation: terms a person can name, with weights fitted to game results by
//! `tabiya tune`; [`nnue`] is a network trained on our own games. Nothing here searches, prints or keeps global state: a
//! worker owns its [`Evaluator`].
//!
//! ```
//! let mut evaluator = eval::Evaluator::default();
//! let score = evaluator.evaluate(&chess::Position::default(), 0);
//! assert!(score.abs() < 100);
//! ```

mod centipawns;
mod evaluator;
pub mod hce;
pub mod nnue;
pub mod outcome;

pub use centipawns::Centipawns;
pub use evaluator::{Evaluation, Evaluator};
pub use hce::{EvalTerms, Term};
