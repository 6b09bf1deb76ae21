//! Where the time of a search goes: by phase, watched inside this process, and by function, where perf is at hand.

pub mod analysis;
pub mod config;
pub mod fold;
pub mod functions;
pub mod kind;
pub mod phases;
pub mod report;
pub mod run;
