//! Rating estimation: always a mean and an interval.
//!
//! A [`Posterior`] is a probability distribution over ratings on a grid. It starts from a prior (a number, a
//! self-description, a quiz, or nothing). Each move multiplies in the probability that people of each rating play it
//! (Bayes' rule). Moves of one game are not independent, so their evidence could need a weight below 1; the fit gave 1.

mod evidence;
mod game_rating;
mod posterior;

pub use evidence::{Evidence, EvidenceModel, KNOTS};
pub use game_rating::{Rated, Side, rate_game, time_control};
pub use posterior::{Estimate, Posterior, SelfDescription};
