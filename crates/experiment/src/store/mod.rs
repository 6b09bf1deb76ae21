//! One folder per experiment, with one SQLite file that holds everything: what was asked, where it ran, every row and
//! every game. A row is written once, in one transaction, before it is counted; a killed run therefore resumes
//! with exactly the rows it had, and a row that is there is never measured again.

mod csv;
mod database;
mod export;
mod games;
mod import;
mod merge;
mod pgn;
mod rows;

pub use database::{Description, Event, FILE_NAME, Store, StoreError};
pub use games::StoredGame;
pub use import::ABOUT;
pub use rows::Row;

#[cfg(test)]
mod tests;
