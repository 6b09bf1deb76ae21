//! The experiments that play games: each reads a description, plays what is missing in its store, and reports.

pub mod people;
pub mod spsa;
pub mod tournament;
