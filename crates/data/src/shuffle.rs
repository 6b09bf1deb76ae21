//! Shuffling samples.

use crate::file::FileError;
use crate::sample::SAMPLE_BYTES;
use common::{Random, read_bounded};
use std::path::Path;

/// Samples are shuffled in memory; more than this does not fit the machines that train.
const LARGEST: u64 = 1 << 38;

/// Writes the samples of a file in random order; answers how many. In memory: 32 bytes a sample.
pub fn shuffle(input: &Path, out: &Path, seed: u64) -> Result<u64, FileError> {
    let bytes = read_bounded(input, LARGEST).map_err(|error| FileError::of_file(input, error.to_string()))?;
    let (samples, rest) = bytes.as_chunks::<SAMPLE_BYTES>();
    if !rest.is_empty() {
        let what = format!("{} bytes, expected a multiple of {SAMPLE_BYTES}", bytes.len());
        return Err(FileError::of_file(input, what));
    }
    let mut samples = samples.to_vec();
    Random::new(seed).shuffle(&mut samples);
    std::fs::write(out, samples.as_flattened())
        .map_err(|error| FileError::of_file(out, error.to_string()))?;
    Ok(samples.len() as u64)
}
