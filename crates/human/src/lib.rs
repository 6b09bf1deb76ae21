//! The fallible opponent: what people play, by rating and clock.
//!
//! [`reply`] predicts a person's move; [`openings`] counts what people of a level play first; [`dataset`] prepares the
//! games both learn from. Everything here is silent and deterministic: no printing, no clock, no randomness that a caller did not hand in.

pub mod dataset;
pub mod openings;
pub mod reply;
