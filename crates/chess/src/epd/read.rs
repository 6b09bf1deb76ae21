//! Reading one line.

use super::{Epd, EpdError, EpdFault, MAX_LENGTH, Operand, Operation, is_opcode};
use crate::fen::FenError;
use crate::lines::column;
use crate::position::Position;

pub(super) fn line(text: &str) -> Result<Epd, EpdError> {
    if text.len() > MAX_LENGTH {
        return Err(EpdError { column: 1, fault: EpdFault::TooLong });
    }
    let mut cursor = Cursor { text, at: 0 };
    let mut fields = [""; 4];
    let mut starts = [0; 4];
    for i in 0..4 {
        cursor.skip(char::is_whitespace);
        starts[i] = cursor.at;
        fields[i] = cursor.word();
        if fields[i].is_empty() {
            return Err(cursor.error(cursor.at, EpdFault::FieldCount { found: i }));
        }
    }
    let mut clocks = clocks(&mut cursor);
    let operations = operations(&mut cursor, &mut clocks)?;
    let fen = format!("{} {} {}", fields.join(" "), clocks.halfmove, clocks.fullmove);
    let position = Position::from_fen(&fen).map_err(|error| {
        let at = match field(&error) {
            4 => clocks.halfmove_at,
            5 => clocks.fullmove_at,
            index => starts[index],
        };
        cursor.error(at, EpdFault::Position(error))
    })?;
    Ok(Epd { position, operations })
}

/// Which field of a FEN an error is about.
fn field(error: &FenError) -> usize {
    match error {
        FenError::Turn { .. } | FenError::OpponentInCheck { .. } => 1,
        FenError::Castling { .. } => 2,
        FenError::EnPassant { .. } => 3,
        FenError::HalfmoveClock { .. } => 4,
        FenError::FullmoveNumber { .. } => 5,
        _ => 0,
    }
}

/// The fifth and sixth field, or what `hmvc` and `fmvn` say, and where they say it.
struct Clocks {
    halfmove: String,
    halfmove_at: usize,
    fullmove: String,
    fullmove_at: usize,
}

/// Two numbers right behind the fields make the line a FEN with operations.
fn clocks(cursor: &mut Cursor<'_>) -> Clocks {
    let mut ahead = Cursor { ..*cursor };
    let mut number = || {
        ahead.skip(char::is_whitespace);
        let at = ahead.at;
        let word = ahead.word();
        let is_number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| (word.to_string(), at))
    };
    if let (Some((halfmove, halfmove_at)), Some((fullmove, fullmove_at))) = (number(), number()) {
        cursor.at = ahead.at;
        return Clocks { halfmove, halfmove_at, fullmove, fullmove_at };
    }
    Clocks { halfmove: "0".into(), halfmove_at: 0, fullmove: "1".into(), fullmove_at: 0 }
}

fn operations(cursor: &mut Cursor<'_>, clocks: &mut Clocks) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    loop {
        cursor.skip(|c| c.is_whitespace() || c == ';');
        let at = cursor.at;
        let opcode = cursor.word();
        if opcode.is_empty() || opcode.starts_with('#') {
            return Ok(operations);
        }
        if !is_opcode(opcode) {
            let found = opcode.chars().take(20).collect();
            return Err(cursor.error(at, EpdFault::Opcode { found }));
        }
        let operands = operands(cursor, opcode)?;
        match (opcode, operands.first()) {
            ("hmvc", Some(number)) => {
                (clocks.halfmove, clocks.halfmove_at) = (clipped(number.as_str()), at);
            }
            ("fmvn", Some(number)) => {
                (clocks.fullmove, clocks.fullmove_at) = (clipped(number.as_str()), at);
            }
            _ => operations.push(Operation { opcode: opcode.to_string(), operands }),
        }
    }
}

/// Short and without blanks, so that it stays one field of the FEN it goes into.
fn clipped(number: &str) -> String {
    let word = number.split(char::is_whitespace).next().filter(|word| !word.is_empty());
    word.unwrap_or("?").chars().take(20).collect()
}

fn operands(cursor: &mut Cursor<'_>, opcode: &str) -> Result<Vec<Operand>, EpdError> {
    let mut operands = Vec::new();
    loop {
        cursor.skip(char::is_whitespace);
        let before = cursor.at;
        match cursor.rest().chars().next() {
            None | Some(';') => return Ok(operands),
            Some('"') => operands.push(Operand::Text(cursor.quoted()?)),
            Some(_) => match cursor.word() {
                // A remark ends the line.
                "#" => {
                    cursor.at = cursor.text.len();
                    return Ok(operands);
                }
                // Some suites forget the `;` between the moves and the name.
                "id" if matches!(opcode, "bm" | "am") => {
                    cursor.at = before;
                    return Ok(operands);
                }
                word => operands.push(Operand::Word(word.to_string())),
            },
        }
    }
}

struct Cursor<'a> {
    text: &'a str,
    /// In bytes, always between two characters.
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, at: usize, fault: EpdFault) -> EpdError {
        EpdError { column: column(self.text.as_bytes(), at), fault }
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        self.at = self.text.len() - self.rest().trim_start_matches(skipped).len();
    }

    /// Up to a blank or `;`.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// A text in quotes. A backslash keeps a quotation mark or a backslash from meaning anything.
    fn quoted(&mut self) -> Result<String, EpdError> {
        let mut text = String::new();
        let mut letters = self.rest().char_indices().skip(1).peekable();
        while let Some((i, letter)) = letters.next() {
            match (letter, letters.peek()) {
                ('"', _) => {
                    self.at += i + 1;
                    return Ok(text);
                }
                ('\\', Some((_, escaped @ ('"' | '\\')))) => {
                    text.push(*escaped);
                    letters.next();
                }
                ('\n' | '\r', _) => text.push(' '),
                _ => text.push(letter),
            }
        }
        Err(self.error(self.at, EpdFault::UnterminatedText))
    }
}
