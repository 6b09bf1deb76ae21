//! Shuffling samples, splitting games.

use crate::file::{FileError, Header, Writer, read_all};
use crate::random::Random;
use crate::sample::SAMPLE_BYTES;
use std::path::{Path, PathBuf};

/// Writes the samples of a file in random order; answers how many. In memory: 32 bytes a sample.
pub fn shuffle(input: &Path, out: &Path, seed: u64) -> Result<u64, FileError> {
    let fault = |path: &Path, what: String| FileError { path: path.to_path_buf(), offset: 0, what };
    let bytes = std::fs::read(input).map_err(|error| fault(input, error.to_string()))?;
    let (samples, rest) = bytes.as_chunks::<SAMPLE_BYTES>();
    if !rest.is_empty() {
        let what = format!("{} bytes, expected a multiple of {SAMPLE_BYTES}", bytes.len());
        return Err(fault(input, what));
    }
    let mut samples = samples.to_vec();
    Random::new(seed).shuffle(&mut samples);
    std::fs::write(out, samples.as_flattened()).map_err(|error| fault(out, error.to_string()))?;
    Ok(samples.len() as u64)
}

/// Sends one game in `one_in` to the second file, the others to the first; answers how many each got.
pub fn split(
    inputs: &[PathBuf],
    first: &Path,
    second: &Path,
    one_in: u64,
    seed: u64,
    broken: &mut dyn FnMut(FileError),
) -> Result<[u64; 2], FileError> {
    let mut writers = [Writer::open(first, &Header::default())?, Writer::open(second, &Header::default())?];
    let mut random = Random::new(seed);
    let mut failure = None;
    for path in inputs {
        let visit = |game| {
            let part = usize::from(random.next_u64().is_multiple_of(one_in));
            if failure.is_none() {
                failure = writers[part].write(&game).err();
            }
        };
        read_all(path, visit, &mut *broken)?;
    }
    if let Some(error) = failure {
        return Err(error);
    }
    for writer in &mut writers {
        writer.flush()?;
    }
    Ok(writers.map(|writer| writer.games()))
}
