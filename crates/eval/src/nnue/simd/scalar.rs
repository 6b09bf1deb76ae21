//! The meaning of the arithmetic, in plain loops.

use crate::nnue::chunk::{Chunk, LANES};
use crate::nnue::network::QA;

/// Inlined into each level's function, so that it is compiled for that level.
#[inline(always)]
pub fn update<const ADDED: usize, const REMOVED: usize>(
    source: &[Chunk],
    out: &mut [Chunk],
    added: [&[Chunk]; ADDED],
    removed: [&[Chunk]; REMOVED],
) {
    let length = out.len();
    let source = &source[..length];
    let added = added.map(|row| &row[..length]);
    let removed = removed.map(|row| &row[..length]);
    for i in 0..length {
        let mut sums = source[i].0;
        for row in added {
            for lane in 0..LANES {
                sums[lane] = sums[lane].wrapping_add(row[i].0[lane]);
            }
        }
        for row in removed {
            for lane in 0..LANES {
                sums[lane] = sums[lane].wrapping_sub(row[i].0[lane]);
            }
        }
        out[i].0 = sums;
    }
}

#[inline(always)]
pub fn add(out: &mut [Chunk], row: &[Chunk]) {
    for (out, row) in out.iter_mut().zip(row) {
        for lane in 0..LANES {
            out.0[lane] = out.0[lane].wrapping_add(row.0[lane]);
        }
    }
}

#[inline(always)]
pub fn subtract(out: &mut [Chunk], row: &[Chunk]) {
    for (out, row) in out.iter_mut().zip(row) {
        for lane in 0..LANES {
            out.0[lane] = out.0[lane].wrapping_sub(row.0[lane]);
        }
    }
}

/// One half of the output. The network's reader has seen to it that nothing overflows.
pub fn half(values: &[Chunk], weights: &[Chunk]) -> i32 {
    let mut sum = 0;
    for (values, weights) in values.iter().zip(weights) {
        for lane in 0..LANES {
            let value = i32::from(values.0[lane]).clamp(0, QA);
            sum += value * value * i32::from(weights.0[lane]);
        }
    }
    sum
}
