//! What crates of every layer need and no layer owns: a seeded random generator, a checksum, work in the background, and
//! safe handling of text and files from outside.

pub mod background;
mod checksum;
mod random;
mod read;
mod text;

pub use checksum::crc32;
pub use random::{Random, entropy_seed, mix};
pub use read::{ReadError, read_bounded};
pub use text::{clip, escape_control, quote_tag};
