//! The study of speculation: several play modes against simulated humans, from the same openings with the same seeds.

pub mod analysis;
pub mod config;
pub mod kind;
pub mod report;
pub mod run;
