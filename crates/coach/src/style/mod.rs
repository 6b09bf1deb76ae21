//! How somebody plays, not how well: an aggressiveness score of any games.

mod eas;
mod material;
mod outcome;

pub use eas::{Eas, Limits, Player, Points, score};
pub use outcome::{GameOutcome, Sacrifice};
