//! Evaluation and search for Leiserchess.
//!
//! Invariants: nothing here prints, reads a clock or keeps global state; one thread with fixed nodes or depth gives the
//! same answer on every machine. There is no null move anywhere: a side must move and must fire, so zugzwang is common
//! and passing would lie.

mod bench;
pub mod book;
mod book_builder;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod fit;
mod openings;
mod search;

pub use bench::{POSITIONS as BENCH_POSITIONS, bench, bench_with};
pub use book::{Book, BookEntries, BookError, BookMove};
pub use book_builder::{BookPlan, Progress, Report, build_book, entries_of};
pub use endgame::{Endgame, EndgameError, EndgameResult};
pub use engine::{Engine, SearchResult, Settings, Task};
pub use openings::opening;
pub use search::{Parameters, Technique};
