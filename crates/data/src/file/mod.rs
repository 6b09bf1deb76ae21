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

mod error;
mod format;
mod header;
mod reader;
mod unfinished;
mod writer;

pub use error::FileError;
pub use header::{HEADER_BYTES, Header};
pub use reader::{Block, Reader, read_all};
pub use unfinished::UnfinishedFile;
pub use writer::Writer;
