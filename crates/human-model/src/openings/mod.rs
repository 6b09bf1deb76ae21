//! How often people of a level play what in the opening: counts from real games, by rating.
//!
//! A table for coaches, trap books and the first moves of a sparring partner; positions are filed by their PolyGlot key,
//! which no change of ours can alter.

mod count;
mod level;
mod table;

pub use count::Counter;
pub use level::Level;
pub use table::{OpeningMove, Openings, TableError};
