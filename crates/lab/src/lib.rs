//! The laboratory: experiments as commands, results as files anyone can reopen.
//!
//! `stats` holds pure functions. The lab stands above the engine: unlike the crates below it, it may read the
//! wall clock and start processes; like them it prints nothing except through the writers it is given.

pub mod cli;
pub mod experiments;
pub mod openings;
