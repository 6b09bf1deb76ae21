//! How strong somebody is, always as a mean and an interval.
//!
//! A [`Posterior`] is a set of weights over ratings. It begins with a prior (a number, a self-description, a quiz, or
//! nothing), and every move played multiplies in how likely people of each rating are to play it. Moves of one game are not
//! independent witnesses; by how much their evidence must be tempered was fitted, and came to not at all.

mod evidence;
mod game_rating;
mod posterior;

pub use evidence::{Evidence, EvidenceModel};
pub use game_rating::{Rated, Side, rate_game, time_control};
pub use posterior::{Estimate, Posterior, SelfDescription};
