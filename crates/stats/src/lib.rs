//! Statistics the lab reports, as pure functions: numbers in, numbers out, nothing read and nothing printed.
//!
//! Every function answers `None` (or an error that names the reason) when the data cannot carry the question,
//! for example the median of nothing; no function answers a made-up number.

pub mod amdahl;
pub mod bootstrap;
pub mod elo;
pub mod matrix;
pub mod normal;
pub mod proportion;
pub mod ratings;
pub mod regression;
pub mod score;
pub mod sequential;
pub mod solve;
pub mod sprt;
pub mod summary;
