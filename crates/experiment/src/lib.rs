//! What every experiment shares: its description (a TOML file, flags, or an earlier run), its store (one SQLite file),
//! the environment it ran in, and the engines it starts.

pub mod conditions;
pub mod engine;
pub mod environment;
pub mod failure;
pub mod flags;
pub mod host;
pub mod kind;
pub mod report;
pub mod runner;
pub mod session;
pub mod spec;
pub mod store;
