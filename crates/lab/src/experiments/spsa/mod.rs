//! Tuning by games: simultaneous perturbation stochastic approximation.

pub mod config;
pub mod report;
pub mod run;
pub mod step;

pub use config::Tuning;
pub use run::run;
