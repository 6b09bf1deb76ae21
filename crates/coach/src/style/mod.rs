//! How somebody plays, not how well: an aggressiveness score of any games.

mod eas;
mod material;
mod scene;

pub use eas::{Eas, Limits, Player, Points, score};
pub use scene::{Sacrifice, Scene};
