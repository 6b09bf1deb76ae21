//! The player's own games: imported files of any site and finished games of this board, to be searched, exported and
//! reviewed one after another. One SQLite file in the data folder.

mod game;
mod progress;
mod reviewer;
mod store;

pub use reviewer::Reviewer;
pub use store::Library;
