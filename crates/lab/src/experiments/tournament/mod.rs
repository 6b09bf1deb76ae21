//! Games between engines: matches, sequential tests and rating lists are one thing with three questions.

pub mod config;
pub mod import;
pub mod openbench;
pub mod run;
pub mod standings;
pub mod table;
mod worker;

pub use config::{Kind, Tournament};
pub use run::run;
pub use standings::Standings;
