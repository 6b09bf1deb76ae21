//! Games as text: one game a line, 13 columns separated by tabs, plain or compressed with Zstandard.

use common::{clip, escape_control};
use std::fmt;
use std::io::{BufRead as _, BufReader, Read as _};
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
/// Bytes of a line; a game of 10,000 plies with scores has fewer.
const LONGEST_LINE: u64 = 1 << 20;

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
    let mut input = BufReader::with_capacity(1 << 16, plain);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let line = (&mut input).take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes);
        if line.map_err(|e| error(Some(number), e.to_string()))? == 0 {
            break;
        }
        if bytes.len() as u64 > LONGEST_LINE {
            return Err(error(Some(number), format!("the line is longer than {LONGEST_LINE} bytes")));
        }
        let line = std::str::from_utf8(&bytes).map_err(|e| error(Some(number), e.to_string()))?;
        let line = line.trim_end_matches(['\n', '\r']);
        if line.is_empty() {
            continue;
        }
        if let Some(game) = GameLine::parse(line).map_err(|e| error(Some(number), e))? {
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
    fn a_line_without_end_is_not_kept() {
        let path = std::env::temp_dir().join(format!("tabiya-game-lines-{}", std::process::id()));
        let long = format!("{LINE}{}", "x".repeat(LONGEST_LINE as usize));
        std::fs::write(&path, format!("{LINE}\r\n\n{LINE}\n{long}\n")).unwrap();
        let mut games = Vec::new();
        let error = read(&path, |game| games.push(game)).unwrap_err().to_string();
        assert_eq!(games.len(), 2);
        assert!(error.contains("line 4") && error.contains("longer than 1048576 bytes"), "{error}");
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn refusals_say_what_was_expected() {
        assert_eq!(GameLine::parse("a\tb").unwrap_err(), "2 columns, expected 13");
        assert!(GameLine::parse(&LINE.replace("1-0", "2-0")).unwrap_err().contains("expected 1-0"));
        let missing = read(Path::new("no/such.tsv.zst"), |_| {}).unwrap_err();
        assert!(missing.to_string().starts_with("no/such.tsv.zst: "));
    }
}
