//! Opponents made from models of people.
//!
//! [`human_like`] plays as people of a rating do, [`speculative`] plays on the mistakes that people make,
//! [`simulated_human`] stands in for a person in studies, and [`arena`] plays the games of those studies.
//! The crate prints nothing and reads no clock; callers pass in the random generator.

pub mod arena;
pub mod human_like;
pub mod simulated_human;
pub mod speculative;
