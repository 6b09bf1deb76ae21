//! What can be wrong with a game, and where.

use crate::fen::FenError;
use crate::san::SanError;
use std::{fmt, io};

/// The game and the line are counted from 1, the column in characters from 1.
#[derive(Debug)]
pub struct PgnError {
    pub game: u64,
    pub line: u64,
    pub column: usize,
    pub fault: PgnFault,
}

#[derive(Debug)]
pub enum PgnFault {
    Io(io::Error),
    TooManyBytes { limit: usize },
    TooManyMoves { limit: usize },
    TooDeep { limit: usize },
    TooManyTags { limit: usize },
    TagTooLong { limit: usize },
    Tag { reason: &'static str },
    Position(FenError),
    Variant { found: String },
    Move(SanError),
    NullMoveInCheck,
    Nag { found: String },
    UnterminatedComment,
    Unexpected { found: char, reason: &'static str },
    UnclosedVariation,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}, column {}: {}", self.game, self.line, self.column, self.fault)
    }
}

impl fmt::Display for PgnFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnFault::Io(error) => write!(f, "cannot read: {error}"),
            PgnFault::TooManyBytes { limit } => write!(f, "the game is longer than {limit} bytes"),
            PgnFault::TooManyMoves { limit } => write!(f, "the game has more than {limit} moves"),
            PgnFault::TooDeep { limit } => write!(f, "variations more than {limit} deep"),
            PgnFault::TooManyTags { limit } => write!(f, "the game has more than {limit} tags"),
            PgnFault::TagTooLong { limit } => write!(f, "the tag is longer than {limit} bytes"),
            PgnFault::Tag { reason } => write!(f, "malformed tag: {reason}"),
            PgnFault::Position(error) => write!(f, "start position: {error}"),
            PgnFault::Variant { found } => {
                write!(f, "variant '{found}' is not played here, expected Standard or Chess960")
            }
            PgnFault::Move(error) => write!(f, "{error}"),
            PgnFault::NullMoveInCheck => f.write_str("the turn cannot pass while in check"),
            PgnFault::Nag { found } => write!(f, "glyph '{found}', expected $0 to $255"),
            PgnFault::UnterminatedComment => f.write_str("a comment begins here that no '}' ends"),
            PgnFault::Unexpected { found, reason } => write!(f, "'{found}' {reason}"),
            PgnFault::UnclosedVariation => f.write_str("a variation begins here that no ')' ends"),
        }
    }
}

impl std::error::Error for PgnError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            PgnFault::Io(error) => Some(error),
            PgnFault::Position(error) => Some(error),
            PgnFault::Move(error) => Some(error),
            _ => None,
        }
    }
}
