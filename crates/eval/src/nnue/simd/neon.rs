//! Vectors of 128 bits on 64-bit ARM. Every such CPU has them, so the plain loops of sums are vectors there already; only the
//! output layer is written out.

use crate::nnue::chunk::{Chunk, LANES};
use crate::nnue::network::QA;
use std::arch::aarch64::{
    int16x8_t, vaddq_s32, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vld1q_s16, vmaxq_s16,
    vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16,
};

/// Numbers in one vector.
const WIDTH: usize = 8;

/// The vector that begins at this number of a chunk.
#[target_feature(enable = "neon")]
fn load(chunk: &Chunk, start: usize) -> int16x8_t {
    let numbers: &[i16] = &chunk.0[start..start + WIDTH];
    // SAFETY: the slice has eight numbers, and this load asks for no alignment.
    unsafe { vld1q_s16(numbers.as_ptr()) }
}

/// One half of the output: value times (value times weight), the inner product in sixteen bits, the outer in thirty-two.
#[target_feature(enable = "neon")]
pub fn half(values: &[Chunk], weights: &[Chunk]) -> i32 {
    let (zero, one) = (vdupq_n_s16(0), vdupq_n_s16(QA as i16));
    let mut sums = [vdupq_n_s32(0); 2];
    for (value, weight) in values.iter().zip(weights) {
        for start in (0..LANES).step_by(WIDTH) {
            let clipped = vminq_s16(vmaxq_s16(load(value, start), zero), one);
            let product = vmulq_s16(clipped, load(weight, start));
            sums[0] = vmlal_s16(sums[0], vget_low_s16(clipped), vget_low_s16(product));
            sums[1] = vmlal_high_s16(sums[1], clipped, product);
        }
    }
    vaddvq_s32(vaddq_s32(sums[0], sums[1]))
}
