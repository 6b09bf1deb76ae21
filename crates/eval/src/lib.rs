//! Chess evaluation: a number for a position, from the side that is to move.
//!
//! [`hce`] is the hand-crafted evaluation: terms a person can name, with weights fitted to game results by
//! `tabiya tune`. Nothing here searches, prints or keeps global state: a worker owns its [`Evaluator`].
//!
//! ```
//! let mut evaluator = eval::Evaluator::default();
//! let score = evaluator.evaluate(&chess::Position::default());
//! assert!(score.abs() < 100);
//! ```

pub mod hce;
pub mod outcome;

pub use hce::{EvalTerms, Evaluator, Term};
