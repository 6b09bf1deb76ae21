//! Sliding attacks the plain way, one square at a time.
//!
//! Shared with the build script, which fills the tables from it, and with the tests, which check the tables
//! against it. Hence plain integers and no crate paths.

pub const ROOK_DIRECTIONS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
pub const BISHOP_DIRECTIONS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Squares a slider on `square` reaches, blockers included.
pub const fn sliding(square: usize, occupied: u64, directions: [(i8, i8); 4]) -> u64 {
    let mut attacks = 0;
    let mut d = 0;
    while d < 4 {
        let (file_step, rank_step) = directions[d];
        let mut file = (square % 8) as i8 + file_step;
        let mut rank = (square / 8) as i8 + rank_step;
        while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            let bit = 1 << (rank * 8 + file);
            attacks |= bit;
            if occupied & bit != 0 {
                break;
            }
            file += file_step;
            rank += rank_step;
        }
        d += 1;
    }
    attacks
}

/// Squares whose occupancy matters: the rays without their last squares.
pub const fn relevant(square: usize, directions: [(i8, i8); 4]) -> u64 {
    let file = 0x0101_0101_0101_0101u64 << (square % 8);
    let rank = 0xffu64 << (square / 8 * 8);
    let edges = ((0x0101_0101_0101_0101 | 0x8080_8080_8080_8080) & !file) | ((0xff | 0xff << 56) & !rank);
    sliding(square, 0, directions) & !edges
}

/// The subset of `mask` after `subset` in counting order; after the last comes the empty one.
#[allow(dead_code)] // the library needs it only in tests
pub const fn next_subset(subset: u64, mask: u64) -> u64 {
    subset.wrapping_sub(mask) & mask
}
