//! Training data: games are read from text lines, packed to 1 byte a move, and expanded to flat arrays.
//!
//! Packed games are small (20 million moves in 32 MB); expanding runs on many cores. Each file is described where it is
//! written; `trainer/human/data.py` reads them.

mod expand;
mod move_order;
mod pack;
mod record;

pub use expand::{Expanded, expand};
pub use move_order::ordered_moves;
pub use pack::{PackedGame, Packer, Tally, unpack};
pub use record::{GameRecord, PlayerId, RecordError, Source};
