//! Vectors of 128 bits in WebAssembly. A module either has them throughout or is refused by the browser, so the plain loops
//! of sums are vectors in such a build already; only the output layer is written out.

use crate::nnue::chunk::{Chunk, LANES};
use crate::nnue::network::QA;
use std::arch::wasm32::{
    i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane,
    i32x4_splat, v128, v128_load,
};

/// Numbers in one vector.
const WIDTH: usize = 8;

/// The vector that begins at this number of a chunk.
#[inline(always)]
fn load(chunk: &Chunk, start: usize) -> v128 {
    let numbers: &[i16] = &chunk.0[start..start + WIDTH];
    // SAFETY: the slice has eight numbers, and this load asks for no alignment.
    unsafe { v128_load(numbers.as_ptr().cast()) }
}

/// One half of the output: value times (value times weight), the inner product in sixteen bits, the outer in thirty-two.
pub fn half(values: &[Chunk], weights: &[Chunk]) -> i32 {
    let (zero, one) = (i16x8_splat(0), i16x8_splat(QA as i16));
    let mut sums = [i32x4_splat(0); LANES / WIDTH];
    for (value, weight) in values.iter().zip(weights) {
        for (sum, start) in sums.iter_mut().zip((0..LANES).step_by(WIDTH)) {
            let clipped = i16x8_min(i16x8_max(load(value, start), zero), one);
            let product = i16x8_mul(clipped, load(weight, start));
            *sum = i32x4_add(*sum, i32x4_dot_i16x8(clipped, product));
        }
    }
    let total = sums.into_iter().fold(i32x4_splat(0), |sum, part| i32x4_add(sum, part));
    i32x4_extract_lane::<0>(total)
        + i32x4_extract_lane::<1>(total)
        + i32x4_extract_lane::<2>(total)
        + i32x4_extract_lane::<3>(total)
}
