//! Real games on their way to the trainer: read from lines, packed to a byte a move, expanded to flat arrays.
//!
//! Packing travels light (20 million moves in 32 MB); expanding needs the rules and wants many cores. What each file
//! holds is told where it is written; `trainer/human/data.py` reads them.

mod expand;
mod move_order;
mod pack;
mod record;

pub use expand::{Expanded, expand};
pub use move_order::ordered_moves;
pub use pack::{PackedGame, Packer, Tally, unpack};
pub use record::{GameRecord, PlayerId, RecordError, Source};
