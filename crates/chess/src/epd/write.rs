//! Writing one line.

use super::{Epd, Operand};
use std::fmt;

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position.to_epd())?;
        if self.position.halfmove_clock() != 0 {
            write!(f, " hmvc {};", self.position.halfmove_clock())?;
        }
        if self.position.fullmove_number() != 1 {
            write!(f, " fmvn {};", self.position.fullmove_number())?;
        }
        for operation in &self.operations {
            write!(f, " {}", operation.opcode())?;
            for operand in &operation.operands {
                write!(f, " {operand}")?;
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The reader takes a lone `#` for a remark.
        let word = |text: &str| {
            !matches!(text, "" | "#")
                && !text.starts_with('"')
                && !text.contains(|c: char| c.is_whitespace() || c == ';')
        };
        match self {
            Operand::Word(text) if word(text) => f.write_str(text),
            // A word made by a program may hold what only a text can.
            Operand::Word(text) | Operand::Text(text) => {
                f.write_str("\"")?;
                for letter in text.chars() {
                    match letter {
                        '"' | '\\' => write!(f, "\\{letter}")?,
                        '\n' | '\r' => f.write_str(" ")?,
                        _ => write!(f, "{letter}")?,
                    }
                }
                f.write_str("\"")
            }
        }
    }
}
