//! The product of a band and a panel with WebAssembly's vectors of 128 bits. It multiplies and adds in two roundings, as the
//! plain twin does, so both give the same bits.

use super::row::{Row, WIDTH};
use std::arch::wasm32::{f32x4_add, f32x4_mul, f32x4_splat, v128, v128_load, v128_store};

/// Numbers in one vector.
const LANES: usize = 4;

fn load(row: &Row, part: usize) -> v128 {
    let numbers: &[f32] = &row[part * LANES..(part + 1) * LANES];
    // SAFETY: the slice has four numbers, one vector; this load asks for no alignment.
    unsafe { v128_load(numbers.as_ptr().cast()) }
}

/// Four rows times one panel; sixteen sums of one vector each.
pub fn tile(band: &[[f32; 4]], panel: &[Row]) -> [Row; 4] {
    let mut sums = [[f32x4_splat(0.0); WIDTH / LANES]; 4];
    for (factors, weights) in band.iter().zip(panel) {
        for part in 0..WIDTH / LANES {
            let weights = load(weights, part);
            for (sums, factor) in sums.iter_mut().zip(factors) {
                sums[part] = f32x4_add(f32x4_mul(f32x4_splat(*factor), weights), sums[part]);
            }
        }
    }
    let mut out = [[0.0; WIDTH]; 4];
    for (out, sums) in out.iter_mut().zip(sums) {
        for (numbers, sum) in out.chunks_exact_mut(LANES).zip(sums) {
            // SAFETY: the slice has four numbers, one vector; this store asks for no alignment.
            unsafe { v128_store(numbers.as_mut_ptr().cast(), sum) };
        }
    }
    out
}
