//! Where the time of a search goes: by phase, watched inside this process, and by function, where perf is at hand.

pub mod analysis;
pub mod config;
pub mod fold;
pub mod functions;
pub mod phases;
pub mod report;
pub mod run;

pub use config::Profile;
pub use run::run;
