//! Vectors of 256 bits.

use super::scalar;
use crate::nnue::chunk::Chunk;
use crate::nnue::network::QA;
use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
};

#[target_feature(enable = "avx2")]
pub fn update<const ADDED: usize, const REMOVED: usize>(
    source: &[Chunk],
    out: &mut [Chunk],
    added: [&[Chunk]; ADDED],
    removed: [&[Chunk]; REMOVED],
) {
    scalar::update(source, out, added, removed);
}

#[target_feature(enable = "avx2")]
pub fn add(out: &mut [Chunk], row: &[Chunk]) {
    scalar::add(out, row);
}

#[target_feature(enable = "avx2")]
pub fn subtract(out: &mut [Chunk], row: &[Chunk]) {
    scalar::subtract(out, row);
}

/// A chunk's two vectors.
#[target_feature(enable = "avx2")]
fn load(chunk: &Chunk) -> [__m256i; 2] {
    let start = std::ptr::from_ref(chunk).cast::<__m256i>();
    // SAFETY: a chunk is 64 bytes long and aligned to 64, so both halves are whole and aligned to 32.
    unsafe { [_mm256_load_si256(start), _mm256_load_si256(start.add(1))] }
}

/// One half of the output: value times (value times weight), the inner product in sixteen bits, the outer summed in
/// pairs (the order of Lizard's author, 2023).
#[target_feature(enable = "avx2")]
pub fn half(values: &[Chunk], weights: &[Chunk]) -> i32 {
    let (nought, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
    let mut sums = [nought; 2];
    for (value, weight) in values.iter().zip(weights) {
        let (value, weight) = (load(value), load(weight));
        for i in 0..2 {
            let clipped = _mm256_min_epi16(_mm256_max_epi16(value[i], nought), one);
            let product = _mm256_mullo_epi16(clipped, weight[i]);
            sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(clipped, product));
        }
    }
    let sum = _mm256_add_epi32(sums[0], sums[1]);
    let sum = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b01_00_11_10>(sum));
    let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b10_11_00_01>(sum));
    _mm_cvtsi128_si32(sum)
}
