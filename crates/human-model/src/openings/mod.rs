//! Opening moves of people: counts from real games, by rating band.
//!
//! The coach, the trap finder and the human-like player use the table. Its key is the PolyGlot hash of the position, a
//! published constant.

mod count;
mod rating_band;
mod table;

pub use count::Counter;
pub use rating_band::RatingBand;
pub use table::{OpeningMove, Openings, Results, TableError};
