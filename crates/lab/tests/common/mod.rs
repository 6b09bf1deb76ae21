//! What the tests of whole runs share.

use std::path::{Path, PathBuf};
use std::process::Output;

/// A folder of its own for every test, removed afterwards.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tabiya-lab-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Examples lie beside the folder of the test's own binary; `cargo test` builds them first.
pub fn example(name: &str) -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let path = own.parent().and_then(Path::parent).unwrap().join("examples").join(name);
    assert!(
        path.is_file(),
        "{} is missing: run 'cargo test -p lab' or 'cargo build -p lab --examples'",
        path.display()
    );
    path
}

/// Everything a command said.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}
