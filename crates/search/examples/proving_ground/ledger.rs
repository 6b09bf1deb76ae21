//! The ledger: a CSV file with one row for every test, failures too, so that nobody tests twice.

use crate::Result;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const HEADER: &str = "test,idea,nodes,book,bounds,games,won,drawn,lost,elo,error,llr,verdict,bench";

/// One result.
pub struct Row {
    pub test: String,
    pub idea: String,
    pub nodes: String,
    pub book: String,
    pub bounds: String,
    pub games: u64,
    /// Games won, drawn and lost, where one side was the new one throughout.
    pub results: Option<[u64; 3]>,
    /// With the half-width of its 95 % interval.
    pub elo: (f64, f64),
    pub llr: Option<f64>,
    pub verdict: String,
    /// The bench of the build.
    pub bench: u64,
}

impl Row {
    /// A row without a result.
    pub fn of(test: &str, nodes: &str, book: &str) -> Self {
        let book = Path::new(book).file_stem().map_or_else(String::new, |name| name.to_string_lossy().into());
        Self {
            test: test.into(),
            idea: String::new(),
            nodes: nodes.into(),
            book,
            bounds: String::new(),
            games: 0,
            results: None,
            elo: (0.0, 0.0),
            llr: None,
            verdict: String::new(),
            bench: 0,
        }
    }

    fn line(&self) -> String {
        let results = self
            .results
            .map_or_else(|| ",,".to_string(), |[won, drawn, lost]| format!("{won},{drawn},{lost}"));
        let (elo, error) = self.elo;
        let llr = self.llr.map_or_else(String::new, |llr| format!("{llr:.2}"));
        let clean = |text: &str| text.trim().replace(',', " ");
        format!(
            "{},{},{},{},{},{},{results},{elo:+.1},{error:.1},{llr},{},{}",
            clean(&self.test),
            clean(&self.idea),
            self.nodes,
            self.book,
            self.bounds,
            self.games,
            self.verdict,
            self.bench
        )
    }
}

pub struct Ledger {
    path: PathBuf,
    text: String,
}

impl Ledger {
    /// Reads a ledger, or begins one.
    pub fn open(path: &Path) -> Result<Self> {
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| format!("{}: {error}", path.display()))?,
        };
        Ok(Self { path: path.into(), text })
    }

    /// Was this test run?
    pub fn has(&self, test: &str) -> bool {
        self.text.lines().any(|line| line.split(',').next() == Some(test))
    }

    /// Writes a row at once: a queue that is stopped keeps what it has.
    pub fn add(&mut self, row: &Row) -> Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
        if self.text.is_empty() {
            writeln!(file, "{HEADER}")?;
            self.text.push_str(HEADER);
        }
        let line = row.line();
        println!("  {line}");
        writeln!(file, "{line}")?;
        self.text.push('\n');
        self.text.push_str(&line);
        Ok(())
    }
}
