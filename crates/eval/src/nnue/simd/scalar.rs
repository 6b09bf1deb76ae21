//! The meaning of the arithmetic, in plain loops.

use crate::nnue::chunk::Chunk;
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
            for (sum, weight) in sums.iter_mut().zip(row[i].0) {
                *sum = sum.wrapping_add(weight);
            }
        }
        for row in removed {
            for (sum, weight) in sums.iter_mut().zip(row[i].0) {
                *sum = sum.wrapping_sub(weight);
            }
        }
        out[i].0 = sums;
    }
}

#[inline(always)]
pub fn add(out: &mut [Chunk], row: &[Chunk]) {
    for (out, row) in out.iter_mut().zip(row) {
        for (sum, weight) in out.0.iter_mut().zip(row.0) {
            *sum = sum.wrapping_add(weight);
        }
    }
}

#[inline(always)]
pub fn subtract(out: &mut [Chunk], row: &[Chunk]) {
    for (out, row) in out.iter_mut().zip(row) {
        for (sum, weight) in out.0.iter_mut().zip(row.0) {
            *sum = sum.wrapping_sub(weight);
        }
    }
}

/// One half of the output. The network's reader has seen to it that nothing overflows.
pub fn half(values: &[Chunk], weights: &[Chunk]) -> i32 {
    let mut sum = 0;
    for (values, weights) in values.iter().zip(weights) {
        for (value, weight) in values.0.into_iter().zip(weights.0) {
            let value = i32::from(value).clamp(0, QA);
            sum += value * value * i32::from(weight);
        }
    }
    sum
}
