//! The fallible opponent: what people play, by rating and clock.
//!
//! [`reply`] predicts a person's move; [`dataset`] prepares the games it learns from. Everything here is silent and
//! deterministic: no printing, no clock, no randomness that a caller did not hand in.

pub mod dataset;
pub mod reply;
