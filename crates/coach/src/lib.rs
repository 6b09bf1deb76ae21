//! A coach for chess players: reviews of games, a quiz, playing style and opening traps.
//!
//! [`Coach`] makes a [`Review`] of a game. Moves are judged by the expected points they lose, errors also by the search depth
//! that shows them, both beside what people of the same rating play. Only errors that a deeper search confirms are
//! commented. [`report`] writes a review as text, PGN, JSON or HTML.

mod accuracy;
mod balance;
mod class;
mod coach;
mod consistency;
mod drawback;
mod motif;
mod plan;
mod proof;
pub mod puzzle_maker;
mod puzzles;
pub mod quiz;
pub mod report;
mod review;
pub mod style;
pub mod summary;
mod tactics;
pub mod traps;
mod visible_depth;
mod winnings;

pub use accuracy::{game_accuracy, move_accuracy};
pub use class::MoveClass;
pub use coach::{Coach, CoachError};
pub use consistency::contradictions;
pub use motif::Motif;
pub use proof::{Proof, Trap};
pub use review::{GamePuzzle, HumanShares, MoveReview, Review, SideReview};
pub use visible_depth::Visibility;
