//! The engine as a WebAssembly module: lines of UCI in, lines of UCI out.
//!
//! `npm/` has the JavaScript around it. With threads (`wasm32-wasip1-threads`) the engine runs as it does natively, each
//! thread in a worker of its own; the feature `threads` goes with that target, which no `cfg` of the compiler tells apart. Without (`wasm32-wasip1`) a search runs inside the call that started it; the host looks
//! for orders whenever the module asks for the time or wants to sleep, and calls `tabiya_interrupt` from within.
//!
//! Nothing of this is compiled for other targets: it needs functions that only the host has.

#[cfg(target_family = "wasm")]
mod exports;
#[cfg(target_family = "wasm")]
mod host;
#[cfg(all(target_family = "wasm", not(feature = "threads")))]
mod inline;
#[cfg(all(target_family = "wasm", feature = "threads"))]
mod threaded;
