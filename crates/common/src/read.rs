//! Files from outside: read to a stated bound, and never a device.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Why a file was not read.
#[derive(Debug)]
pub enum ReadError {
    Io(io::Error),
    /// A device, a pipe or a folder.
    NotAFile,
    /// Larger than this many bytes.
    TooLarge(u64),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => write!(f, "{error}"),
            ReadError::NotAFile => f.write_str("not a regular file"),
            ReadError::TooLarge(bound) => write!(f, "larger than {bound} bytes"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

/// The bytes of the regular file at `path`, refused when there are more than `bound`. A file that grows while it is
/// read is bounded too.
pub fn read_bounded(path: &Path, bound: u64) -> Result<Vec<u8>, ReadError> {
    // Asked before it is opened: opening a pipe without a writer waits for ever.
    let facts = std::fs::metadata(path)?;
    if !facts.is_file() {
        return Err(ReadError::NotAFile);
    }
    // The kernel's own files say that they are empty; reading one may give bytes without end, or wait for some.
    if facts.len() == 0 {
        return Ok(Vec::new());
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(bound.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bound {
        return Err(ReadError::TooLarge(bound));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_to_their_bound_and_devices_are_refused() {
        let path = std::env::temp_dir().join(format!("tabiya-read-bounded-{}", std::process::id()));
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(read_bounded(&path, 5).unwrap(), b"12345");
        assert!(matches!(read_bounded(&path, 4), Err(ReadError::TooLarge(4))));
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(read_bounded(&path, 4), Err(ReadError::Io(_))));
        assert!(matches!(read_bounded(Path::new("/"), 4), Err(ReadError::NotAFile)));
        #[cfg(unix)]
        assert!(matches!(read_bounded(Path::new("/dev/zero"), 4), Err(ReadError::NotAFile)));
        #[cfg(target_os = "linux")]
        assert_eq!(read_bounded(Path::new("/proc/self/stat"), 4).unwrap(), b"", "a file of the kernel's");
    }
}
