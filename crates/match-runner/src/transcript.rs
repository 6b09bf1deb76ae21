//! What an engine was told and what it answered, as a file: `12.345 Name > go nodes 1000`, `12.350 Name < bestmove e2e4`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The file of one game, shared by its players.
#[derive(Clone, Debug)]
pub struct Transcript {
    file: Arc<Mutex<BufWriter<File>>>,
    begun: Instant,
}

/// Which way a line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    ToEngine,
    FromEngine,
}

impl Transcript {
    /// A new file; one that is there is replaced.
    pub fn create(path: &Path) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        Ok(Self { file: Arc::new(Mutex::new(BufWriter::new(File::create(path)?))), begun: Instant::now() })
    }

    /// One line. A full disk must not end a game, so errors are not told.
    pub fn line(&self, name: &str, at: Instant, direction: Direction, text: &str) {
        let Ok(mut file) = self.file.lock() else { return };
        let seconds = at.saturating_duration_since(self.begun).as_secs_f64();
        let arrow = match direction {
            Direction::ToEngine => '>',
            Direction::FromEngine => '<',
        };
        let _ = writeln!(file, "{seconds:.3} {name} {arrow} {text}");
        let _ = file.flush();
    }
}
