//! Models of people: what players of a rating play, and how strong a player is.
//!
//! [`reply`] holds the policy networks, [`small_policy`] a small policy for use inside a search, [`openings`] counts
//! of real opening moves by rating, [`dataset`] the games they are trained on. [`rating`] estimates a player's rating
//! from moves. An [`oracle`] says what moves are worth, in [`expected`] points; [`odds`] sets up handicap games.
//! The crate prints nothing, reads no clock and draws no random number.

pub mod dataset;
pub mod expected;
pub mod odds;
pub mod openings;
pub mod oracle;
pub mod rating;
pub mod reply;
pub mod shown_score;
pub mod small_policy;
