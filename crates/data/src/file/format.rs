//! Numbers and bytes that the readers and the writer share.

pub(super) const BLOCK_MAGIC: [u8; 4] = *b"BLK1";
pub(super) const BLOCK_HEAD_BYTES: usize = 24;
/// A longer block is taken for a broken head; no memory is reserved for it.
pub(super) const LONGEST_BLOCK: usize = 1 << 26;

/// Four bytes at `at` as a number.
pub(super) fn word(bytes: &[u8], at: usize) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(four)
}
