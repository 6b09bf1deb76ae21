//! The fallible opponent: what people play, by rating and clock, and what to make of it.
//!
//! [`reply`] predicts a person's move, [`glance`] does so in less time and less well; [`openings`] counts what people of a level play first; [`dataset`] prepares the
//! games both learn from. [`sparring`] plays like a person, [`rating`] reads strength from moves, [`coach`] reviews games, [`style`] tells how sharply they were played,
//! [`traps`] makes a book of what people of a rating fall for, [`arena`] plays the games of studies. What moves are worth comes from an [`oracle`], in [`expected`]
//! points. Everything here is silent and deterministic: no printing, no clock, no randomness that a caller did not hand in.

pub mod arena;
pub mod coach;
pub mod dataset;
pub mod expected;
pub mod glance;
pub mod odds;
pub mod openings;
pub mod oracle;
pub mod random;
pub mod rating;
pub mod reply;
pub mod simulant;
pub mod sparring;
pub mod speculative;
pub mod style;
pub mod traps;
