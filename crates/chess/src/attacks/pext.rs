//! Sliding attacks by parallel bit extraction (BMI2): one instruction in place of multiply and shift.
//!
//! Compiled only where the build target has BMI2, so the intrinsic is safe to call.

use super::slow;
use crate::types::{Bitboard, Square};
use std::arch::x86_64::_pext_u64;

#[allow(clippy::all, clippy::pedantic)]
mod tables {
    include!(concat!(env!("OUT_DIR"), "/pext_tables.rs"));
}

#[derive(Clone, Copy)]
#[repr(align(16))]
struct Entry {
    mask: u64,
    offset: u32,
}

const fn entries(offsets: &[u32; 64], directions: [(i8, i8); 4]) -> [Entry; 64] {
    let mut entries = [Entry { mask: 0, offset: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        entries[square] = Entry { mask: slow::relevant(square, directions), offset: offsets[square] };
        square += 1;
    }
    entries
}

static ROOK: [Entry; 64] = entries(&tables::ROOK_OFFSETS, slow::ROOK_DIRECTIONS);
static BISHOP: [Entry; 64] = entries(&tables::BISHOP_OFFSETS, slow::BISHOP_DIRECTIONS);

#[inline(always)]
fn slot(entry: &Entry, occupied: Bitboard) -> usize {
    // SAFETY: this module is compiled only for targets that have BMI2.
    #[allow(unused_unsafe)]
    let packed = unsafe { _pext_u64(occupied.0, entry.mask) };
    packed as usize + entry.offset as usize
}

#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let slot = slot(&ROOK[square.index()], occupied);
    // SAFETY: PEXT yields fewer than 1 << (bits of the mask), the length of this square's part of the table,
    // which starts at the offset; a test visits every slot.
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
                assert!(slot(entry, Bitboard::EMPTY) == entry.offset as usize);
                assert!(slot(entry, Bitboard::ALL) < length);
            }
        }
    }
}
