//! Playing games: engines as processes, clocks, openings, adjudication, concurrency.
//!
//! Whatever goes wrong with an engine (a crash, a stall, an illegal move, a flag) becomes part of the game's
//! record; nothing is replayed or dropped behind the reader's back.

pub mod adjudicate;
pub mod core_wait;
pub mod fault;
pub mod files;
pub mod game;
pub mod internal;
pub mod limits;
pub mod openings;
pub mod player;
pub mod process;
pub mod result;
pub mod schedule;
mod signals;
pub mod stolen;
pub mod stop;
pub mod tables;
pub mod transcript;
pub mod uci;
pub mod xboard;
