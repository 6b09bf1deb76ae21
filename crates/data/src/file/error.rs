//! What is wrong with a file.

use common::escape_control;
use std::fmt;
use std::path::{Path, PathBuf};

/// What is wrong, in which file, at which byte.
#[derive(Debug)]
pub struct FileError {
    pub path: PathBuf,
    pub offset: u64,
    pub what: String,
}

impl FileError {
    /// About the file as a whole.
    pub fn of_file(path: &Path, what: impl Into<String>) -> FileError {
        FileError { path: path.to_path_buf(), offset: 0, what: what.into() }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, what) = (self.path.to_string_lossy(), escape_control(&self.what));
        write!(f, "{}, byte {}: {what}", escape_control(&path), self.offset)
    }
}

impl std::error::Error for FileError {}
