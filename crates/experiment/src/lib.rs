//! What every experiment shares: its description (a TOML file, flags, or an earlier run), its store (one SQLite file),
//! the environment it ran in, and the engines it starts.

pub mod engine;
pub mod environment;
pub mod host;
pub mod report;
pub mod session;
pub mod spec;
pub mod store;
