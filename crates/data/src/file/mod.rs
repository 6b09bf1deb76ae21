//! The file of games: a header, then blocks, each with its length, counts and checksum.
//!
//! | bytes | header (64) | | bytes | head of a block (24) |
//! |---|---|---|---|---|
//! | 8 | `TABIYAGM` | | 4 | `BLK1` |
//! | 4 | version: 1 | | 4 | length of what follows the head |
//! | 4 | shard | | 4 | games in it |
//! | 8 | seed of the run | | 4 | plies in it |
//! | 8 | soft nodes, hard nodes (4 each) | | 4 | CRC-32 of what follows the head |
//! | 4 | checksum of the network that played, or 0 | | 4 | CRC-32 of the 20 bytes before |
//! | 24 | zero | | | |
//! | 4 | CRC-32 of the 60 bytes before | | | |
//!
//! What follows a block's head is its games ([`crate::game`]), one after another. All numbers are little-endian. A
//! writer that is killed leaves at most one torn block at the end; the next one cuts it off and goes on.

mod header;
mod reader;
mod writer;

pub use header::{HEADER_BYTES, Header};
pub use reader::{Block, FileError, Reader, read_all};
pub use writer::Writer;

const BLOCK_MAGIC: [u8; 4] = *b"BLK1";
const BLOCK_HEAD_BYTES: usize = 24;
/// A longer block is taken for a broken head rather than asked memory for.
const LONGEST_BLOCK: usize = 1 << 26;

/// Four bytes at `at` as a number.
fn word(bytes: &[u8], at: usize) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(four)
}
