//! What can be wrong with an EPD line, and where.

use crate::fen::FenError;
use crate::san::SanError;
use std::{fmt, io};

/// The column counts characters from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdError {
    pub column: usize,
    pub fault: EpdFault,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EpdFault {
    TooLong,
    FieldCount { found: usize },
    Position(FenError),
    Opcode { found: String },
    UnterminatedText,
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: ", self.column)?;
        match &self.fault {
            EpdFault::TooLong => write!(f, "line too long, expected at most {} bytes", super::MAX_LENGTH),
            EpdFault::FieldCount { found } => {
                write!(f, "{found} fields, expected at least 4 (pieces, turn, castling, en passant)")
            }
            EpdFault::Position(error) => write!(f, "{error}"),
            EpdFault::Opcode { found } => {
                write!(f, "'{found}' is no opcode, expected a letter, then letters or digits, as in bm or c0")
            }
            EpdFault::UnterminatedText => f.write_str("a text begins here that no quotation mark ends"),
        }
    }
}

impl std::error::Error for EpdError {}

/// An operand that is no legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdMoveError {
    pub opcode: String,
    pub error: SanError,
}

impl fmt::Display for EpdMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {}: {}", self.opcode, self.error)
    }
}

impl std::error::Error for EpdMoveError {}

/// Trouble while reading a file.
#[derive(Debug)]
pub enum EpdFileError {
    Io(io::Error),
    Line { number: u64, error: EpdError },
}

impl fmt::Display for EpdFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdFileError::Io(error) => write!(f, "cannot read: {error}"),
            EpdFileError::Line { number, error } => write!(f, "line {number}, {error}"),
        }
    }
}

impl std::error::Error for EpdFileError {}
