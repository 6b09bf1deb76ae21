//! How often people of a level play what in the opening: counts from real games, by rating.
//!
//! A table for coaches, trap books and the first moves of a sparring partner; positions are filed by their PolyGlot key,
//! which no change of ours can alter.

mod count;
mod rating_band;
mod table;

pub use count::Counter;
pub use rating_band::RatingBand;
pub use table::{OpeningMove, Openings, TableError};
