//! Evaluation and search for Leiserchess.
//!
//! Invariants: nothing here prints, reads a clock or keeps global state; one thread with fixed nodes or depth gives the
//! same answer on every machine.

pub mod eval;
