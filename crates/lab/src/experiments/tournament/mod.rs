//! Games between engines: matches, sequential tests and rating lists are one thing with three questions.

pub mod config;
mod gauntlet_report;
pub mod import;
pub mod kind;
mod ladder_report;
pub mod openbench;
pub mod report;
pub mod run;
mod staged_report;
pub mod standings;
pub mod table;
pub mod words;
mod worker;
