//! The files that samples go to, and the file beside them that says how far the run has come.

use crate::file::FileError;
use crate::sample::SAMPLE_BYTES;
use std::fs::{File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    pub blocks: u64,
    pub all_blocks: u64,
    pub samples: u64,
    pub held_out: u64,
}

/// The samples of one block.
#[derive(Default)]
pub(super) struct Samples {
    pub training: Vec<u8>,
    pub held_out: Vec<u8>,
}

/// The files of a run, and the file beside them that says how far it has come.
pub(super) struct Output<'a> {
    training: &'a Path,
    held_out: Option<&'a Path>,
    progress: PathBuf,
    /// What is searched, in words: another run is not continued.
    plan: String,
}

impl<'a> Output<'a> {
    pub(super) fn new(training: &'a Path, held_out: Option<&'a Path>, plan: &str) -> Output<'a> {
        let mut progress = training.as_os_str().to_owned();
        progress.push(".progress");
        Output { training, held_out, progress: progress.into(), plan: plan.replace('\n', " ") }
    }

    /// Cuts the files back to what the progress file says.
    pub(super) fn open(&self, all_blocks: u64) -> Result<Progress, FileError> {
        let mut done = Progress { all_blocks, ..Progress::default() };
        if let Ok(text) = std::fs::read_to_string(&self.progress) {
            let (figures, plan) = text.trim_end().split_once('\n').unwrap_or_default();
            let figures: Vec<u64> = figures.split(' ').filter_map(|figure| figure.parse().ok()).collect();
            let [blocks, samples, held_out] = figures[..] else {
                return Err(FileError::of_file(&self.progress, "expected three numbers in its first line"));
            };
            if plan != self.plan {
                let what = format!("is of another run ({plan}), expected {}", self.plan);
                return Err(FileError::of_file(&self.progress, what));
            }
            done = Progress { blocks, samples, held_out, ..done };
        }
        cut(self.training, done.samples)?;
        if let Some(path) = self.held_out {
            cut(path, done.held_out)?;
        }
        Ok(done)
    }

    pub(super) fn append(&self, done: &mut Progress, samples: &Samples) -> Result<(), FileError> {
        done.samples += append(self.training, &samples.training)?;
        if let Some(path) = self.held_out {
            done.held_out += append(path, &samples.held_out)?;
        }
        Ok(())
    }

    /// Written aside and renamed, so that it is whole whenever it is there.
    pub(super) fn save(&self, done: &Progress) -> Result<(), FileError> {
        let text = format!("{} {} {}\n{}\n", done.blocks, done.samples, done.held_out, self.plan);
        let part = self.progress.with_extension("part");
        let written = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, &self.progress));
        written.map_err(|error| FileError::of_file(&self.progress, format!("could not be written: {error}")))
    }
}

fn writable(path: &Path) -> Result<File, FileError> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|error| FileError::of_file(path, format!("cannot be opened for writing: {error}")))
}

fn cut(path: &Path, samples: u64) -> Result<(), FileError> {
    let length = samples * SAMPLE_BYTES as u64;
    let file = writable(path)?;
    let there = file.metadata().map_err(|error| FileError::of_file(path, error.to_string()))?.len();
    if there < length {
        let what = format!("{there} bytes, expected the {length} of an earlier run");
        return Err(FileError::of_file(path, what));
    }
    file.set_len(length).map_err(|error| FileError::of_file(path, error.to_string()))
}

/// Answers the number of samples.
fn append(path: &Path, bytes: &[u8]) -> Result<u64, FileError> {
    let mut file = writable(path)?;
    let written = file.seek(SeekFrom::End(0)).and_then(|_| file.write_all(bytes));
    written.map_err(|error| FileError::of_file(path, format!("could not be written: {error}")))?;
    Ok((bytes.len() / SAMPLE_BYTES) as u64)
}
