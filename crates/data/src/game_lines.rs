//! Games as text: one game a line, 13 columns separated by tabs, plain or compressed with Zstandard.

use common::{clip, escape_control};
use std::fmt;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// Where a file could not be read.
#[derive(Debug)]
pub struct ReadError {
    pub path: PathBuf,
    pub line: Option<usize>,
    pub reason: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape_control(&self.path.to_string_lossy()))?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", escape_control(&self.reason))
    }
}

impl std::error::Error for ReadError {}

/// The columns that are used.
#[derive(Clone, PartialEq, Debug)]
pub struct GameLine {
    /// 1, 0.5 or 0 for White.
    pub result: f32,
    /// Empty for the usual starting position.
    pub start: String,
    pub moves: String,
    /// Centipawns for White after each ply, comma-separated, empty where unknown; or nothing at all.
    pub evaluations: String,
}

const COLUMNS: usize = 13;

impl GameLine {
    /// None for a game without a result; an error says which column is wrong.
    pub fn parse(line: &str) -> Result<Option<GameLine>, String> {
        let columns: Vec<&str> = line.split('\t').collect();
        if columns.len() != COLUMNS {
            return Err(format!("{} columns, expected {COLUMNS}", columns.len()));
        }
        let result = match columns[7] {
            "1-0" => 1.0,
            "1/2-1/2" => 0.5,
            "0-1" => 0.0,
            "*" | "-" | "" => return Ok(None),
            other => return Err(format!("result '{}', expected 1-0, 1/2-1/2, 0-1 or *", clip(other, 20))),
        };
        let or_empty = |text: &str| if text == "-" { String::new() } else { text.to_string() };
        Ok(Some(GameLine {
            result,
            start: or_empty(columns[9]),
            moves: columns[10].to_string(),
            evaluations: or_empty(columns[12]),
        }))
    }
}

/// Reads every finished game of a file, in order.
pub fn read(path: &Path, mut each: impl FnMut(GameLine)) -> Result<(), ReadError> {
    let error = |line, reason| ReadError { path: path.to_path_buf(), line, reason };
    let plain = chess::compressed::open(path).map_err(|e| error(None, e.to_string()))?;
    for (number, line) in BufReader::with_capacity(1 << 16, plain).lines().enumerate() {
        let line = line.map_err(|e| error(Some(number + 1), e.to_string()))?;
        if line.is_empty() {
            continue;
        }
        if let Some(game) = GameLine::parse(&line).map_err(|e| error(Some(number + 1), e))? {
            each(game);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "x\ta\tb\t1\t2\t60+1\t2025.01\t1-0\t-\t-\te2e4 e7e5\t-\t,30";

    #[test]
    fn columns() {
        let game = GameLine::parse(LINE).unwrap().unwrap();
        assert_eq!((game.result, game.moves.as_str(), game.evaluations.as_str()), (1.0, "e2e4 e7e5", ",30"));
        assert_eq!(game.start, "");
        assert_eq!(GameLine::parse(&LINE.replace("1-0", "*")), Ok(None));
    }

    #[test]
    fn refusals_say_what_was_expected() {
        assert_eq!(GameLine::parse("a\tb").unwrap_err(), "2 columns, expected 13");
        assert!(GameLine::parse(&LINE.replace("1-0", "2-0")).unwrap_err().contains("expected 1-0"));
        let missing = read(Path::new("no/such.tsv.zst"), |_| {}).unwrap_err();
        assert!(missing.to_string().starts_with("no/such.tsv.zst: "));
    }
}
