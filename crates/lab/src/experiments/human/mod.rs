//! The study of speculation: several ways to play against simulated people, from the same openings with the same seeds.

pub mod analysis;
pub mod config;
pub mod kind;
pub mod report;
pub mod run;
