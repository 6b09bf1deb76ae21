//! Text in, text out: only this crate knows the words of UCI, XBoard and the Leiserchess protocol.
//!
//! A line without a meaning is skipped, as the protocols ask, or comes back as an error message for the user. Nothing
//! here panics, whatever the input is.

pub mod client;
pub mod leiserchess;
mod lines;
mod output;
mod server;
mod session;
pub mod uci;
mod words;
pub mod xboard;

pub use lines::{Line, read_line};
pub use output::Output;
pub use server::{Conversation, run_script, serve};
pub use session::Identity;
