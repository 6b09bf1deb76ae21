//! A coach: what a game was worth, move by move, told only from lines that a deeper search has confirmed.
//!
//! Moves are judged by the expected points they give away, errors by how deep one must look to see them, and both beside
//! what people of the same rating play. [`review`] makes a [`Review`]; [`report`] writes it for terminals, PGN files,
//! programs and browsers.

mod accuracy;
mod class;
mod coach;
mod drawback;
mod motif;
mod proof;
mod puzzles;
pub mod quiz;
pub mod report;
mod review;
pub mod style;
pub mod traps;
mod visible_depth;

pub use accuracy::{game_accuracy, move_accuracy};
pub use class::MoveClass;
pub use coach::{Coach, CoachError};
pub use motif::Motif;
pub use proof::{Proof, Trap};
pub use review::{GamePuzzle, HumanShares, MoveReview, Review, SideReview};
