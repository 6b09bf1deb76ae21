//! The Universal Chess Interface.

mod command;
mod go;

pub use command::{Command, Position};
pub use go::{Go, GoClock};
