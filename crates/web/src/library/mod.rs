//! The player's own games: imported files of any site and finished games of this board, to be searched, exported and
//! reviewed one after another. One SQLite file in the data folder, or files of the browser's storage
//! where there is no disk.

mod found;
mod game;
mod progress;
mod reviewer;
#[cfg_attr(target_family = "wasm", path = "store_files.rs")]
mod store;
#[cfg(test)]
mod store_files;
#[cfg(test)]
mod tests;

pub use reviewer::Reviewer;
pub use store::Library;
