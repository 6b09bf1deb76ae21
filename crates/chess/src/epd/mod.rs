//! Extended Position Description: a position's four fields, then operations such as `bm Nf3; id "WAC.001";`.
//!
//! Read leniently where files differ: lines with the six fields of a FEN, a `;` before instead of behind an
//! operation (perft suites), a last `;` left out, remarks behind `#`. Clocks travel as `hmvc` and `fmvn`, as the
//! standard has it, and are found in the position, not among the operations.

mod error;
mod file;
mod read;
mod write;

pub use error::{EpdError, EpdFault, EpdFileError, EpdMoveError};
pub use file::EpdReader;

use crate::position::Position;
use crate::types::Move;

/// Longer lines are refused unread.
pub const MAX_LENGTH: usize = 1 << 16;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    pub position: Position,
    pub operations: Vec<Operation>,
}

/// An opcode and what follows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    opcode: String,
    pub operands: Vec<Operand>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A move, a number, a symbol.
    Word(String),
    /// In quotes: may hold blanks and `;`.
    Text(String),
}

impl Operand {
    pub fn as_str(&self) -> &str {
        match self {
            Operand::Word(text) | Operand::Text(text) => text,
        }
    }
}

impl Operation {
    /// `None` unless the opcode is a letter and then letters, digits or `_`, at most 64 in all.
    pub fn new(opcode: &str, operands: Vec<Operand>) -> Option<Operation> {
        is_opcode(opcode).then(|| Operation { opcode: opcode.to_string(), operands })
    }

    pub fn opcode(&self) -> &str {
        &self.opcode
    }
}

fn is_opcode(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

impl Epd {
    pub fn new(position: Position) -> Epd {
        Epd { position, operations: Vec::new() }
    }

    /// Reads one line.
    pub fn parse(line: &str) -> Result<Epd, EpdError> {
        read::line(line)
    }

    /// The first operation of this name.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == opcode)
    }

    /// The first operand of an operation: the text of `id`, `c0` to `c9`, and the like.
    pub fn text(&self, opcode: &str) -> Option<&str> {
        self.operation(opcode)?.operands.first().map(Operand::as_str)
    }

    /// The number of `ce` (centipawns), `dm` (mate in), `acn` (nodes), `acd` (depth) and the like.
    pub fn number(&self, opcode: &str) -> Option<i64> {
        self.text(opcode)?.parse().ok()
    }

    pub fn id(&self) -> Option<&str> {
        self.text("id")
    }

    /// The moves of an operation; none when it is absent.
    pub fn moves(&self, opcode: &str) -> Result<Vec<Move>, EpdMoveError> {
        let operands = self.operation(opcode).map_or(&[][..], |operation| &operation.operands);
        let read = |operand: &Operand| {
            self.position
                .parse_san(operand.as_str())
                .map_err(|error| EpdMoveError { opcode: opcode.to_string(), error })
        };
        operands.iter().map(read).collect()
    }

    /// `bm`: any of these is right.
    pub fn best_moves(&self) -> Result<Vec<Move>, EpdMoveError> {
        self.moves("bm")
    }

    /// `am`: all of these are wrong.
    pub fn avoid_moves(&self) -> Result<Vec<Move>, EpdMoveError> {
        self.moves("am")
    }

    /// Perft counts: depth and leaves of `D1`, `D2` and so on, as they stand.
    pub fn perft_counts(&self) -> Vec<(u32, u64)> {
        let count = |operation: &Operation| {
            let depth = operation.opcode.strip_prefix('D')?.parse().ok()?;
            Some((depth, operation.operands.first()?.as_str().parse().ok()?))
        };
        self.operations.iter().filter_map(count).collect()
    }
}

#[cfg(test)]
mod tests;
