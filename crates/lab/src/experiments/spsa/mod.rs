//! Tuning by games: simultaneous perturbation stochastic approximation.

pub mod config;
pub mod kind;
pub mod report;
pub mod run;
pub mod step;
