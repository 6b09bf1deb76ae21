//! Text in, text out: only this crate knows the words of UCI, XBoard and the Leiserchess protocol.
//!
//! Reading never fails hard: what a line cannot mean is either skipped, as the protocols ask, or comes back as a
//! problem to be told to the user. Nothing here panics, whatever arrives.

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
pub use server::{run_script, serve};
pub use session::Identity;
