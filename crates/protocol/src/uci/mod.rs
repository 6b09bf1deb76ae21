//! The Universal Chess Interface.

mod command;
mod extra;
pub mod format;
mod go;
mod session;

pub use command::{Command, Position};
pub use go::{Go, GoClock};
pub use session::Session;
