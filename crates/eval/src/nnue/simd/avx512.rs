//! Vectors of 512 bits, with and without VNNI.

use super::scalar;
use crate::nnue::chunk::Chunk;
use crate::nnue::network::QA;
use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_dpwssd_epi32, _mm512_load_si512, _mm512_madd_epi16, _mm512_max_epi16,
    _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512,
};

#[target_feature(enable = "avx512f,avx512bw")]
pub fn update<const ADDED: usize, const REMOVED: usize>(
    source: &[Chunk],
    out: &mut [Chunk],
    added: [&[Chunk]; ADDED],
    removed: [&[Chunk]; REMOVED],
) {
    scalar::update(source, out, added, removed);
}

#[target_feature(enable = "avx512f,avx512bw")]
pub fn add(out: &mut [Chunk], row: &[Chunk]) {
    scalar::add(out, row);
}

#[target_feature(enable = "avx512f,avx512bw")]
pub fn subtract(out: &mut [Chunk], row: &[Chunk]) {
    scalar::subtract(out, row);
}

#[target_feature(enable = "avx512f,avx512bw")]
fn load(chunk: &Chunk) -> __m512i {
    // SAFETY: a chunk is 64 bytes long and aligned to 64.
    unsafe { _mm512_load_si512(std::ptr::from_ref(chunk).cast()) }
}

/// One half of the output, as in [`super::avx2::half`].
#[target_feature(enable = "avx512f,avx512bw")]
pub fn half(values: &[Chunk], weights: &[Chunk]) -> i32 {
    let (nought, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA as i16));
    let mut sum = nought;
    for (value, weight) in values.iter().zip(weights) {
        let clipped = _mm512_min_epi16(_mm512_max_epi16(load(value), nought), one);
        let product = _mm512_mullo_epi16(clipped, load(weight));
        sum = _mm512_add_epi32(sum, _mm512_madd_epi16(clipped, product));
    }
    _mm512_reduce_add_epi32(sum)
}

/// The same with the multiplication and the sum in one instruction.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub fn half_vnni(values: &[Chunk], weights: &[Chunk]) -> i32 {
    let (nought, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA as i16));
    let mut sums = [nought; 2];
    for (i, (value, weight)) in values.iter().zip(weights).enumerate() {
        let clipped = _mm512_min_epi16(_mm512_max_epi16(load(value), nought), one);
        let product = _mm512_mullo_epi16(clipped, load(weight));
        sums[i % 2] = _mm512_dpwssd_epi32(sums[i % 2], clipped, product);
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]))
}
