//! Matrix products in plain loops that compilers turn into vectors, compiled once for each kind of CPU.
//!
//! The right-hand matrix is cut into panels of sixteen columns, the left-hand one into bands of a few rows, both laid out
//! so that the inner loop reads them in order and keeps its block of results in registers. Every result is one sum taken
//! in one order, so the width of a CPU's registers does not change it; only whether the CPU multiplies and adds in one
//! rounding or two does, in the seventh digit. The CPU is asked at run time, so a portable binary is not a slow one.

use super::cpu::{self, Level};
use super::row::{Row, WIDTH};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128;

/// A matrix of `depth` rows and `columns` columns, the right-hand side of a product.
pub struct Panels {
    depth: usize,
    columns: usize,
    data: Vec<Row>,
}

impl Panels {
    /// `value(row, column)` fills the matrix; the last panel is padded with zeros.
    pub fn new(depth: usize, columns: usize, value: impl Fn(usize, usize) -> f32) -> Panels {
        let mut panels = Panels { depth, columns, data: vec![[0.0; WIDTH]; depth * columns.div_ceil(WIDTH)] };
        panels.fill(value);
        panels
    }

    /// Overwrites every entry.
    pub fn fill(&mut self, value: impl Fn(usize, usize) -> f32) {
        for (number, panel) in self.data.chunks_exact_mut(self.depth).enumerate() {
            for (row, cells) in panel.iter_mut().enumerate() {
                for (column, cell) in (number * WIDTH..self.columns).zip(cells) {
                    *cell = value(row, column);
                }
            }
        }
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    /// `out = left x self`; `left` has `depth` numbers a row, `out` as many rows.
    pub fn multiply(&self, left: &[f32], out: &mut [f32]) {
        match cpu::level() {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => self.multiply_in_bands(left, out, simd::tile_avx512),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => self.multiply_in_bands(left, out, simd::tile_avx2),
            #[cfg(target_arch = "aarch64")]
            Level::Neon => self.multiply_in_bands(left, out, neon::tile_neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128 => self.multiply_in_bands(left, out, simd128::tile),
            Level::Plain => self.multiply_in_bands(left, out, tile),
        }
    }

    /// `tile` multiplies a band of rows by one panel.
    #[inline(always)]
    fn multiply_in_bands<const HEIGHT: usize>(
        &self,
        left: &[f32],
        out: &mut [f32],
        tile: impl Fn(&[[f32; HEIGHT]], &[Row]) -> [Row; HEIGHT],
    ) {
        let mut band: Vec<[f32; HEIGHT]> = vec![[0.0; HEIGHT]; self.depth];
        for (block, out) in left.chunks(self.depth * HEIGHT).zip(out.chunks_mut(self.columns * HEIGHT)) {
            // The last band may be short: its missing rows are zeros, and their results go nowhere.
            if block.len() < self.depth * HEIGHT {
                band.fill([0.0; HEIGHT]);
            }
            for (row, numbers) in block.chunks_exact(self.depth).enumerate() {
                for (cells, number) in band.iter_mut().zip(numbers) {
                    cells[row] = *number;
                }
            }
            for (number, panel) in self.data.chunks_exact(self.depth).enumerate() {
                self.store(&tile(&band, panel), number, out);
            }
        }
    }

    #[inline(always)]
    fn store(&self, sums: &[Row], panel: usize, out: &mut [f32]) {
        for (sums, out) in sums.iter().zip(out.chunks_mut(self.columns)) {
            for (sum, out) in sums.iter().zip(&mut out[panel * WIDTH..]) {
                *out = *sum;
            }
        }
    }
}

/// Four rows times one panel, without any instruction a CPU may lack. The sums have a name each: as an array LLVM likes
/// to gather and scatter them.
fn tile(band: &[[f32; 4]], panel: &[Row]) -> [Row; 4] {
    let [mut first, mut second, mut third, mut fourth] = [[0.0f32; WIDTH]; 4];
    for (factors, weights) in band.iter().zip(panel) {
        first = plus(first, factors[0], weights);
        second = plus(second, factors[1], weights);
        third = plus(third, factors[2], weights);
        fourth = plus(fourth, factors[3], weights);
    }
    [first, second, third, fourth]
}

#[inline(always)]
fn plus(sums: Row, factor: f32, weights: &Row) -> Row {
    std::array::from_fn(|column| factor * weights[column] + sums[column])
}

/// The same with the CPU's own vectors. Tried first: the plain loop compiled for AVX-512, which spilled its sums and was
/// ten times slower.
#[cfg(target_arch = "x86_64")]
mod simd {
    use super::{Row, WIDTH};
    use std::arch::x86_64::{
        _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps,
        _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_storeu_ps,
    };

    /// Eight sums of one register each: enough to hide a multiplication's latency.
    pub fn tile_avx512(band: &[[f32; 8]], panel: &[Row]) -> [Row; 8] {
        // SAFETY: called only where `cpu::level` found AVX-512.
        unsafe { eight_rows(band, panel) }
    }

    #[target_feature(enable = "avx512f")]
    fn eight_rows(band: &[[f32; 8]], panel: &[Row]) -> [Row; 8] {
        let mut sums = [_mm512_setzero_ps(); 8];
        for (factors, weights) in band.iter().zip(panel) {
            // SAFETY: a `Row` is sixteen numbers, one register.
            let weights = unsafe { _mm512_loadu_ps(weights.as_ptr()) };
            for (sum, factor) in sums.iter_mut().zip(factors) {
                *sum = _mm512_fmadd_ps(_mm512_set1_ps(*factor), weights, *sum);
            }
        }
        let mut out = [[0.0; WIDTH]; 8];
        for (out, sum) in out.iter_mut().zip(sums) {
            // SAFETY: a `Row` is sixteen numbers, one register.
            unsafe { _mm512_storeu_ps(out.as_mut_ptr(), sum) };
        }
        out
    }

    /// Eight sums again, four rows of two registers: as many as fit beside the operands.
    pub fn tile_avx2(band: &[[f32; 4]], panel: &[Row]) -> [Row; 4] {
        // SAFETY: called only where `cpu::level` found AVX2 and FMA.
        unsafe { four_rows(band, panel) }
    }

    #[target_feature(enable = "avx2,fma")]
    fn four_rows(band: &[[f32; 4]], panel: &[Row]) -> [Row; 4] {
        let mut sums = [[_mm256_setzero_ps(); 2]; 4];
        for (factors, weights) in band.iter().zip(panel) {
            // SAFETY: a `Row` is sixteen numbers, two registers.
            let (low, high) =
                unsafe { (_mm256_loadu_ps(weights.as_ptr()), _mm256_loadu_ps(weights.as_ptr().add(8))) };
            for ([sum_low, sum_high], factor) in sums.iter_mut().zip(factors) {
                let factor = _mm256_set1_ps(*factor);
                *sum_low = _mm256_fmadd_ps(factor, low, *sum_low);
                *sum_high = _mm256_fmadd_ps(factor, high, *sum_high);
            }
        }
        let mut out = [[0.0; WIDTH]; 4];
        for (out, [low, high]) in out.iter_mut().zip(sums) {
            // SAFETY: a `Row` is sixteen numbers, two registers.
            unsafe {
                _mm256_storeu_ps(out.as_mut_ptr(), low);
                _mm256_storeu_ps(out.as_mut_ptr().add(8), high);
            }
        }
        out
    }
}

/// The same with vectors of 128 bits. The plain loop rounds after the multiplication and after the addition, so compilers
/// may not join the two; these do.
#[cfg(target_arch = "aarch64")]
mod neon {
    use super::{Row, WIDTH};
    use std::arch::aarch64::{float32x4_t, vdupq_n_f32, vfmaq_laneq_f32, vld1q_f32, vst1q_f32};

    /// Numbers in one vector.
    const LANES: usize = 4;
    /// Vectors in a row of a panel.
    const VECTORS: usize = WIDTH / LANES;

    /// Sixteen sums, four rows of four registers: half of the registers, so the operands fit beside them.
    pub fn tile_neon(band: &[[f32; 4]], panel: &[Row]) -> [Row; 4] {
        // SAFETY: called only where `cpu::level` found NEON.
        unsafe { four_rows(band, panel) }
    }

    #[target_feature(enable = "neon")]
    fn four_rows(band: &[[f32; 4]], panel: &[Row]) -> [Row; 4] {
        let [mut first, mut second, mut third, mut fourth] = [[vdupq_n_f32(0.0); VECTORS]; 4];
        for (factors, weights) in band.iter().zip(panel) {
            // SAFETY: four factors are one register.
            let factors = unsafe { vld1q_f32(factors.as_ptr()) };
            for vector in 0..VECTORS {
                // SAFETY: a `Row` is sixteen numbers, four registers.
                let weights = unsafe { vld1q_f32(weights.as_ptr().add(vector * LANES)) };
                first[vector] = vfmaq_laneq_f32::<0>(first[vector], weights, factors);
                second[vector] = vfmaq_laneq_f32::<1>(second[vector], weights, factors);
                third[vector] = vfmaq_laneq_f32::<2>(third[vector], weights, factors);
                fourth[vector] = vfmaq_laneq_f32::<3>(fourth[vector], weights, factors);
            }
        }
        [first, second, third, fourth].map(|sums| store(&sums))
    }

    #[target_feature(enable = "neon")]
    fn store(sums: &[float32x4_t; VECTORS]) -> Row {
        let mut out = [0.0; WIDTH];
        for (vector, sum) in sums.iter().enumerate() {
            // SAFETY: a `Row` is sixteen numbers, four registers.
            unsafe { vst1q_f32(out.as_mut_ptr().add(vector * LANES), *sum) };
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cpu_level_agrees_with_the_plain_twin() {
        let number = |seed: usize| ((seed * 6151 + 7) % 97) as f32 / 48.0 - 1.0;
        let (rows, depth, columns) = (63, 256, 50);
        let left: Vec<f32> = (0..rows * depth).map(number).collect();
        let panels = Panels::new(depth, columns, |row, column| number(row * 13 + column * 29));
        let mut plain = vec![0.0; rows * columns];
        panels.multiply_in_bands(&left, &mut plain, tile);
        let check = |found: &[f32]| {
            for (plain, found) in plain.iter().zip(found) {
                assert!((plain - found).abs() < 1e-3, "{plain} and {found}");
            }
        };
        let mut out = vec![0.0; rows * columns];
        panels.multiply(&left, &mut out);
        check(&out);
        #[cfg(target_arch = "x86_64")]
        if cpu::level() != Level::Plain {
            panels.multiply_in_bands(&left, &mut out, simd::tile_avx2);
            check(&out);
        }
    }

    #[test]
    fn agrees_with_the_schoolbook() {
        for (rows, depth, columns) in [(1, 1, 1), (3, 5, 16), (8, 7, 17), (19, 33, 48), (64, 32, 3)] {
            let number = |seed: usize| ((seed * 7919 + 13) % 101) as f32 / 50.0 - 1.0;
            let left: Vec<f32> = (0..rows * depth).map(number).collect();
            let right = |row: usize, column: usize| number(row * 31 + column * 17 + 5);
            let mut out = vec![f32::NAN; rows * columns];
            Panels::new(depth, columns, right).multiply(&left, &mut out);
            for row in 0..rows {
                for column in 0..columns {
                    let expected: f32 = (0..depth).map(|k| left[row * depth + k] * right(k, column)).sum();
                    let found = out[row * columns + column];
                    assert!((found - expected).abs() < 1e-4, "{rows}x{depth}x{columns} at {row},{column}");
                }
            }
        }
    }
}
