//! Why a file is no network of ours.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    Unreadable { reason: String },
    Foreign,
    Short { found: usize, expected: usize },
    Long { found: usize, expected: usize },
    Version { found: u32, expected: u32 },
    Architecture { found: u32, expected: u32 },
    Field { name: &'static str, found: u32, expected: &'static str },
    Checksum { part: &'static str },
    Weight { layer: &'static str, index: usize, found: i64, most: i64 },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Unreadable { reason } => write!(f, "cannot be read: {reason}"),
            NetworkError::Foreign => f.write_str("no network of Tabiya's: it does not begin with TABIYANN"),
            NetworkError::Short { found, expected } => {
                write!(f, "truncated: {found} bytes, expected {expected}")
            }
            NetworkError::Long { found, expected } => {
                write!(f, "too long: {found} bytes, expected {expected}")
            }
            NetworkError::Version { found, expected } => {
                write!(f, "version {found} of the file format, expected {expected}: made for another Tabiya")
            }
            NetworkError::Architecture { found, expected } => {
                write!(f, "architecture {found}, expected {expected}: made for another Tabiya")
            }
            NetworkError::Field { name, found, expected } => {
                write!(f, "{name} is {found}, expected {expected}")
            }
            NetworkError::Checksum { part } => {
                write!(f, "the checksum of the {part} does not fit: its bytes were changed")
            }
            NetworkError::Weight { layer, index, found, most } => {
                write!(f, "{layer} {index} could reach {found}, more than the {most} its arithmetic allows")
            }
        }
    }
}

impl std::error::Error for NetworkError {}
