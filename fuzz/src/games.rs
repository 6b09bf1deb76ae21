//! Any bytes are a file of games or a reason why not; what is read is written back byte for byte. Behind right checksums
//! too: the bytes are the counts and the payload of a block.

use common::crc32;
use data::file::{Header, Reader};
use data::game::GameRecord;
use std::path::Path;

/// A block with this payload, whose head counts games and plies as it likes.
fn block(games: u32, plies: u32, payload: &[u8]) -> Vec<u8> {
    let mut head = b"BLK1".to_vec();
    for word in [payload.len() as u32, games, plies, crc32(payload)] {
        head.extend_from_slice(&word.to_le_bytes());
    }
    let sum = crc32(&head);
    [&head, sum.to_le_bytes().as_slice(), payload].concat()
}

/// Reads every block of a file; how many there were.
fn read(blocks: &[u8]) -> usize {
    let file = [&Header::default().to_bytes(), blocks].concat();
    let mut whole = 0;
    if let Ok(mut reader) = Reader::new(file.as_slice(), Path::new("fuzz")) {
        while let Ok(Some(block)) = reader.next_block() {
            whole += 1;
            let _ = block.games().map_err(|error| assert!(!error.to_string().is_empty()));
        }
    }
    whole
}

pub fn run(bytes: &[u8]) {
    let mut rest = bytes;
    if let Ok(game) = GameRecord::read(&mut rest) {
        let mut again = Vec::new();
        game.write(&mut again);
        assert_eq!(GameRecord::read(&mut again.as_slice()), Ok(game));
    }
    let _ = Header::from_bytes(bytes).map_err(|reason| assert!(!reason.is_empty()));
    read(bytes);
    if let [games, plies, payload @ ..] = bytes {
        assert_eq!(read(&block(u32::from(*games), u32::from(*plies), payload)), 1, "the block is whole");
    }
}
