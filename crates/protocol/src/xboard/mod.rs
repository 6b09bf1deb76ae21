//! The Chess Engine Communication Protocol, version 2, as XBoard and WinBoard speak it.

mod command;
mod features;
mod notation;
mod opponent;
mod session;
mod thinking;
mod timing;

pub use command::{Command, Level};
pub use session::Session;
