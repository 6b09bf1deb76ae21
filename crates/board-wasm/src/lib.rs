//! The sessions of the board as a WebAssembly module, for a page that needs no server (`wasm32-wasip1-threads`; `wasm32-wasip1`
//! where the page may not share memory).
//!
//! `web/site` has the JavaScript around it. The host gives the files of earlier visits, then commands and requests of the
//! page; the module gives events, answers and changed files. Threads are workers that the host starts; without them the host calls
//! the module again and again.
//!
//! Nothing of this is compiled for other targets: it needs functions that only the host has.

#[cfg(target_family = "wasm")]
mod exports;
#[cfg(target_family = "wasm")]
mod host;
#[cfg(all(target_family = "wasm", not(feature = "threads")))]
mod inline;
#[cfg(target_family = "wasm")]
mod texts;
#[cfg(all(target_family = "wasm", feature = "threads"))]
mod threaded;
