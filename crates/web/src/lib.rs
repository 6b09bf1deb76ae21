//! The board in the browser: a small server on loopback, the page inside the binary, one session for each tab. In
//! WebAssembly there is no server: the page is the host of its session (`hosted`).
//!
//! Nothing here prints: what a person should read goes through [`Config::announce`]. The server trusts nobody but the
//! page it serves; `guard` and `limits` hold the rules, and `tests/safety.rs` has a test for each.

// What only the server does is not used there.
#![cfg_attr(target_family = "wasm", allow(dead_code, unused_imports))]

mod accuracy;
mod allowed_engine;
#[cfg(not(target_family = "wasm"))]
mod answers;
#[cfg(not(target_family = "wasm"))]
mod archive;
#[cfg(any(test, target_family = "wasm"))]
mod archive_files;
#[cfg(not(target_family = "wasm"))]
pub mod assets;
#[cfg(not(target_family = "wasm"))]
pub mod browser;
mod describe;
#[cfg(not(target_family = "wasm"))]
mod disk_files;
#[cfg(not(target_family = "wasm"))]
mod experiment_runs;
#[cfg(not(target_family = "wasm"))]
mod experiments;
mod files;
mod game_record;
#[cfg(not(target_family = "wasm"))]
mod guard;
#[cfg(target_family = "wasm")]
pub mod hosted;
mod import;
mod library;
#[cfg(not(target_family = "wasm"))]
mod library_routes;
mod limits;
#[cfg(any(test, target_family = "wasm"))]
pub mod memory_files;
mod messages;
pub mod odds;
mod openings;
mod own_games;
#[cfg(not(target_family = "wasm"))]
mod private_file;
mod problem;
mod puzzles;
#[cfg(not(target_family = "wasm"))]
mod routes;
#[cfg(not(target_family = "wasm"))]
mod serve;
#[cfg(not(target_family = "wasm"))]
mod server;
mod session;
mod session_input;
mod shared;
#[cfg(not(target_family = "wasm"))]
mod socket;
mod studies;
mod tee;
pub mod turns;
#[cfg(not(target_family = "wasm"))]
mod upload;

pub use allowed_engine::AllowedEngine;
pub use limits::Timeouts;
pub use openings::Openings;
#[cfg(not(target_family = "wasm"))]
pub use serve::{Config, DEFAULT_PORT, serve};
