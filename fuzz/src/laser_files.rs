//! Any bytes are an opening book or an end-game table of Leiserchess, or a reason why not; either answers a probe.

use laser::Position;
use laser_search::{Book, Endgame, EndgameError};

/// Positions of two kings alone.
const KINGS: [&str; 2] = ["8/8/8/3NN4/8/8/3ss4/8 W", "NN7/8/8/8/8/8/8/7SS B"];

pub fn run(bytes: &[u8]) {
    match Book::from_bytes(bytes) {
        Ok(book) => {
            assert_eq!(book.entries().count(), book.len());
            let _ = book.probe(&Position::start());
            assert_eq!(book.to_bytes(), bytes);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    read_table(bytes);
    // With the length that the header asks for.
    let [kinds @ .., _] = bytes.first_chunk::<4>().copied().unwrap_or_default();
    let mut table = [b"TABLEG01".as_slice(), &kinds, &[0; 5]].concat();
    if let Err(EndgameError::Length { expected, .. }) = Endgame::from_bytes(&table)
        && expected <= LONGEST
    {
        let body = bytes.iter().chain(&[0]).copied().cycle().take(expected.saturating_sub(table.len()));
        table.extend(body.collect::<Vec<u8>>());
        assert!(read_table(&table), "its length fits");
    }
}

/// A table that is longer takes longer than it is worth.
const LONGEST: usize = 4 << 20;

/// Reads a table and asks it for a position; false when it is none.
fn read_table(bytes: &[u8]) -> bool {
    match Endgame::from_bytes(bytes) {
        Ok(table) => {
            for position in KINGS.iter().filter_map(|text| text.parse::<Position>().ok()) {
                let _ = table.probe(&position);
            }
            let _ = table.probe(&Position::start());
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}
