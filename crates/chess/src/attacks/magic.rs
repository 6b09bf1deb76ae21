//! Sliding attacks by magic multiplication (Kannan 2007): works on every CPU.

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::slow;
use crate::types::{Bitboard, Square};

#[allow(clippy::all, clippy::pedantic)]
mod tables {
    include!(concat!(env!("OUT_DIR"), "/magic_tables.rs"));
}

/// Everything one look-up needs, side by side in one half of a cache line.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Entry {
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

const fn entries(magics: &[u64; 64], offsets: &[u32; 64], directions: [(i8, i8); 4]) -> [Entry; 64] {
    let mut entries = [Entry { mask: 0, magic: 0, offset: 0, shift: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let mask = slow::relevant(square, directions);
        entries[square] =
            Entry { mask, magic: magics[square], offset: offsets[square], shift: 64 - mask.count_ones() };
        square += 1;
    }
    entries
}

static ROOK: [Entry; 64] = entries(&ROOK_MAGICS, &tables::ROOK_OFFSETS, slow::ROOK_DIRECTIONS);
static BISHOP: [Entry; 64] = entries(&BISHOP_MAGICS, &tables::BISHOP_OFFSETS, slow::BISHOP_DIRECTIONS);

#[inline(always)]
fn slot(entry: &Entry, occupied: Bitboard) -> usize {
    ((occupied.0 & entry.mask).wrapping_mul(entry.magic) >> entry.shift) as usize + entry.offset as usize
}

#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let slot = slot(&ROOK[square.index()], occupied);
    // SAFETY: the shift leaves as many bits as the mask has, so the slot lies in this square's part of the
    // table, whose start is the offset and whose length is 1 << bits; a test visits every slot.
    Bitboard(unsafe { *tables::ROOK_ATTACKS.get_unchecked(slot) })
}

#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let slot = slot(&BISHOP[square.index()], occupied);
    // SAFETY: as for the rook.
    Bitboard(unsafe { *tables::BISHOP_ATTACKS.get_unchecked(slot) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_is_inside_the_table() {
        for (entries, length) in
            [(&ROOK, tables::ROOK_ATTACKS.len()), (&BISHOP, tables::BISHOP_ATTACKS.len())]
        {
            for entry in entries {
                let mut occupied = 0;
                loop {
                    assert!(slot(entry, Bitboard(occupied)) < length);
                    assert!(slot(entry, Bitboard(occupied | !entry.mask)) < length);
                    occupied = slow::next_subset(occupied, entry.mask);
                    if occupied == 0 {
                        break;
                    }
                }
            }
        }
    }
}
