//! Files in a folder that only its owner can read.

use crate::files::Files;
use crate::private_file;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

pub struct DiskFiles {
    folder: PathBuf,
}

impl DiskFiles {
    /// Makes the folder if it is missing.
    pub fn open(folder: &Path) -> io::Result<DiskFiles> {
        private_file::create_folder(folder)?;
        Ok(DiskFiles { folder: folder.to_owned() })
    }
}

impl Files for DiskFiles {
    fn names(&self) -> io::Result<Vec<String>> {
        let entries = std::fs::read_dir(&self.folder)?;
        Ok(entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        std::fs::read(self.folder.join(name))
    }

    fn write(&self, name: &str, text: &[u8]) -> io::Result<()> {
        let path = self.folder.join(name);
        let draft = path.with_extension("tmp");
        private_file::create(&draft)?.write_all(text)?;
        std::fs::rename(&draft, path)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        std::fs::remove_file(self.folder.join(name))
    }

    fn saved(&self, name: &str) -> io::Result<f64> {
        let modified = self.folder.join(name).metadata()?.modified()?;
        modified.duration_since(UNIX_EPOCH).map(|time| time.as_secs_f64()).map_err(io::Error::other)
    }
}
