//! Thirty-two numbers of sixteen bits on one cache line: what every level computes with.

pub const LANES: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Chunk(pub [i16; LANES]);

impl Chunk {
    pub const ZERO: Chunk = Chunk([0; LANES]);
}
