//! Any bytes are an opening book or an end-game table of Leiserchess, or a reason why not; either answers a probe.
#![no_main]

use laser::Position;
use laser_search::{Book, Endgame};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match Book::from_bytes(bytes) {
        Ok(book) => {
            assert_eq!(book.entries().count(), book.len());
            let _ = book.probe(&Position::start());
            assert_eq!(book.to_bytes(), bytes);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    match Endgame::from_bytes(bytes) {
        Ok(table) => {
            let _ = table.probe(&Position::start());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
