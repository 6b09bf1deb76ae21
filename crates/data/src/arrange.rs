//! Shuffling samples, splitting games, searching their positions anew.

use crate::file::{FileError, Header, Writer, read_all};
use crate::play::{Play, Player};
use crate::sample::SAMPLE_BYTES;
use common::Random;
use kernel::clock::ManualClock;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// Writes the games with scores of this engine at so many soft nodes; answers how many.
pub fn rescore(
    inputs: &[PathBuf],
    out: &Path,
    nodes: u32,
    broken: &mut dyn FnMut(FileError),
) -> Result<u64, FileError> {
    let play = Play { soft_nodes: nodes, hard_nodes: nodes.saturating_mul(20), ..Play::default() };
    let header = Header { soft_nodes: play.soft_nodes, hard_nodes: play.hard_nodes, ..Header::default() };
    let mut writer = Writer::open(out, &header)?;
    let fault = |what| FileError { path: out.to_path_buf(), offset: 0, what };
    // Nothing here goes by time.
    let mut player =
        Player::new(play, 16, Arc::new(ManualClock::new())).map_err(|error| fault(error.to_string()))?;
    // Stopped and started again, it goes on behind the games that are there.
    let (mut number, done) = (0, writer.games());
    let mut failure = None;
    for path in inputs {
        let visit = |game| {
            number += 1;
            if number > done && failure.is_none() {
                failure = writer.write(&player.rescore(&game)).err();
            }
        };
        read_all(path, visit, &mut *broken)?;
    }
    match failure {
        Some(error) => Err(error),
        None => writer.flush().map(|()| writer.games()),
    }
}
