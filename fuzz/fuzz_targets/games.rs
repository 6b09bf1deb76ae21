//! Any bytes are a file of games or a reason why not; what is read is written back byte for byte.
#![no_main]

use data::file::{Header, Reader};
use data::game::GameRecord;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let mut rest = bytes;
    if let Ok(game) = GameRecord::read(&mut rest) {
        let mut again = Vec::new();
        game.write(&mut again);
        assert_eq!(GameRecord::read(&mut again.as_slice()), Ok(game));
    }
    let file = [&Header::default().to_bytes(), bytes].concat();
    if let Ok(mut reader) = Reader::new(file.as_slice(), Path::new("fuzz")) {
        while let Ok(Some(block)) = reader.next_block() {
            let _ = block.games();
        }
    }
});
