//! Lines of an endless answer. The site sends an empty line every few seconds to keep the connection alive.

use std::io::{BufRead as _, BufReader, Read};

/// Longer than any event; what is longer is skipped, not kept.
pub const LONGEST: usize = 1 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// An empty line.
    KeepAlive,
    Text(String),
    /// Too long, or not UTF-8: the number of bytes.
    Malformed(usize),
}

pub struct Lines<R: Read> {
    input: BufReader<R>,
}

impl<R: Read> Lines<R> {
    pub fn new(input: R) -> Lines<R> {
        Lines { input: BufReader::new(input) }
    }

    /// The next line; `None` at the end. A line without its end is half a line and is not handed out.
    pub fn next_line(&mut self) -> std::io::Result<Option<Line>> {
        let mut kept = Vec::new();
        let mut length = 0;
        loop {
            let chunk = self.input.fill_buf()?;
            if chunk.is_empty() {
                return Ok(None);
            }
            let (part, ended) = match chunk.iter().position(|byte| *byte == b'\n') {
                Some(at) => (&chunk[..at], true),
                None => (chunk, false),
            };
            length += part.len();
            if length <= LONGEST {
                kept.extend_from_slice(part);
            }
            let used = part.len() + usize::from(ended);
            self.input.consume(used);
            if ended {
                break;
            }
        }
        if length > LONGEST {
            return Ok(Some(Line::Malformed(length)));
        }
        Ok(Some(match String::from_utf8(kept) {
            Ok(text) if text.trim().is_empty() => Line::KeepAlive,
            Ok(text) => Line::Text(text),
            Err(error) => Line::Malformed(error.as_bytes().len()),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_text_malformed_lines_and_half_a_line() {
        let long = "x".repeat(LONGEST + 1);
        let bytes =
            [b"{\"a\":1}\n\n\r\n\xff\xfe\n".as_slice(), long.as_bytes(), b"\nlast\n{\"half\":".as_slice()]
                .concat();
        let mut lines = Lines::new(bytes.as_slice());
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            all.push(line);
        }
        let expected = [
            Line::Text("{\"a\":1}".into()),
            Line::KeepAlive,
            Line::KeepAlive,
            Line::Malformed(2),
            Line::Malformed(LONGEST + 1),
            Line::Text("last".into()),
        ];
        assert_eq!(all, expected);
    }
}
