//! Opening books and end-game tables as files.

use std::io::Read as _;
use std::path::Path;

use common::{escape_control, read_bounded};
use laser_search::{Book, Endgame};

use crate::environment::Failure;

/// Bytes a book or a table may have: 16 times the largest end-game table.
const LARGEST: u64 = 1 << 30;

fn read(path: &str) -> Result<Vec<u8>, String> {
    read_bounded(Path::new(path), LARGEST).map_err(|error| named(path, error))
}

/// An error with the name of its file.
fn named(path: &str, error: impl std::fmt::Display) -> String {
    format!("{}: {error}", escape_control(path))
}

pub(crate) fn load_book(path: &str) -> Result<Book, String> {
    Book::from_bytes(&read(path)?).map_err(|error| named(path, error))
}

pub(crate) fn load_endgame(path: &str) -> Result<Endgame, String> {
    Endgame::from_bytes(&read(path)?).map_err(|error| named(path, error))
}

/// Whether a file begins as an end-game table does; one that cannot be read is left to whoever loads it.
pub(crate) fn is_endgame(path: &str) -> bool {
    let is_file = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let mut start = [0; 8];
    is_file
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && Endgame::is_table(&start)
}

/// Writes beside the file first, so that an interruption leaves the old file whole.
pub(crate) fn save(path: &str, bytes: &[u8]) -> Result<(), Failure> {
    let beside = format!("{path}.part");
    std::fs::write(&beside, bytes).map_err(|error| Failure::Failed(named(&beside, error)))?;
    std::fs::rename(&beside, path).map_err(|error| Failure::Failed(named(path, error)))
}
