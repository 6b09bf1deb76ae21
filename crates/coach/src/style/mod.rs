//! Playing style: an aggressiveness score (EAS) of any games.

mod eas;
mod material;
mod outcome;

pub use eas::{Eas, Limits, Player, Points, score};
pub use outcome::{GameOutcome, Sacrifice};
