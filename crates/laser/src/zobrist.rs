//! Zobrist keys (Zobrist 1970): random numbers for hashing positions.
//!
//! Keys depend on what stands where, never on which pawn it is: two positions that look alike hash alike.

use common::{Random, mix};

use crate::piece::Piece;
use crate::square::Square;

static PIECE_KEYS: [[u64; 64]; Piece::COUNT] = {
    let mut table = [[0; 64]; Piece::COUNT];
    let mut random = Random::new(0x7461_6269_7961);
    let mut code = 0;
    while code < Piece::COUNT {
        let mut square = 0;
        while square < 64 {
            table[code][square] = random.next_u64();
            square += 1;
        }
        code += 1;
    }
    table
};

/// `XORed` in when Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = mix(0x6c_6173_6572);

#[inline]
pub(crate) fn piece_key(piece: Piece, square: Square) -> u64 {
    PIECE_KEYS[piece.code()][square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Books and end-game tables on disk hold these keys.
    #[test]
    fn keys_stay_the_same() {
        assert_eq!(PIECE_KEYS[0][0], 0x5cf9_d970_eb17_6322);
        assert_eq!(PIECE_KEYS[1][3], 0x8ce7_952c_5ec3_8823);
        assert_eq!(BLACK_TO_MOVE, 0x1f65_d555_e102_9694);
    }
}
