//! Fault injection: the binary under limits, with closed and full outputs, killed and signalled.
//!
//! Each test starts the program the way an operator would and then takes something away. The program may refuse with a
//! sentence and an exit code. It may not hang, panic, or abort. Unix only: limits and signals come from the shell.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on should stop

mod bot;
mod command_line;
mod experiments;
mod harness;
mod leiserchess;
mod server;
mod uci;
mod xboard;
