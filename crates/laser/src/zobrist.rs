//! Random keys for hashing positions.
//!
//! Keys depend on what stands where, never on which pawn it is: two positions that look alike hash alike.

use crate::piece::Piece;
use crate::square::Square;

/// `SplitMix64` (Steele, Lea and Flood): enough to fill a table that must be the same on every machine.
const fn split_mix(state: u64) -> u64 {
    let mut word = state;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;

static PIECE_KEYS: [[u64; 64]; Piece::COUNT] = {
    let mut table = [[0; 64]; Piece::COUNT];
    let mut state: u64 = 0x7461_6269_7961;
    let mut code = 0;
    while code < Piece::COUNT {
        let mut square = 0;
        while square < 64 {
            state = state.wrapping_add(INCREMENT);
            table[code][square] = split_mix(state);
            square += 1;
        }
        code += 1;
    }
    table
};

/// `XORed` in when Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = split_mix(0x6c_6173_6572);

#[inline]
pub(crate) fn piece_key(piece: Piece, square: Square) -> u64 {
    PIECE_KEYS[piece.code()][square.index()]
}
