//! Lines of a stream, one buffer for all of them, none longer than a limit.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

pub(crate) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    number: u64,
    limit: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Line,
    /// The line went past the limit: what fits is kept, the rest is skipped.
    TooLong,
    End,
}

impl<R: Read> Lines<R> {
    pub fn new(input: R, limit: usize) -> Lines<R> {
        Lines { input: BufReader::with_capacity(1 << 16, input), line: Vec::new(), number: 0, limit }
    }

    /// Moves to the next line; its end mark is cut off, and a byte order mark before the first.
    pub fn advance(&mut self) -> io::Result<Step> {
        self.line.clear();
        // A stream of one endless line must not fill the memory, so no more than the limit is ever asked for.
        let mut limited = (&mut self.input).take(self.limit as u64 + 1);
        if limited.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(Step::End);
        }
        self.number += 1;
        if self.number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        } else if self.line.len() > self.limit {
            self.line.truncate(self.limit);
            self.input.skip_until(b'\n')?;
            return Ok(Step::TooLong);
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        Ok(Step::Line)
    }

    /// The present line.
    pub fn bytes(&self) -> &[u8] {
        &self.line
    }

    /// Its number, from 1; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }
}

/// UTF-8 where it is, Latin-1 where it is not: old files carry names in it, and no byte of theirs is refused.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|byte| *byte as char).collect()),
    }
}

/// The column, in characters from 1, of a byte of a line.
pub(crate) fn column(line: &[u8], at: usize) -> usize {
    decode(&line[..at.min(line.len())]).chars().count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_any_end_and_none() {
        let mut lines = Lines::new(&b"\xef\xbb\xbfone\r\n\ntwo"[..], 10);
        let mut seen = Vec::new();
        while lines.advance().unwrap() == Step::Line {
            seen.push((lines.number(), decode(lines.bytes()).into_owned()));
        }
        assert_eq!(seen, [(1, "one".into()), (2, String::new()), (3, "two".into())]);
    }

    #[test]
    fn a_line_past_the_limit_is_cut_and_the_next_is_whole() {
        let mut lines = Lines::new(&b"0123456789\n012345678901234567\nab\n"[..], 10);
        assert_eq!((lines.advance().unwrap(), lines.bytes().len()), (Step::Line, 10));
        assert_eq!((lines.advance().unwrap(), lines.bytes().len()), (Step::TooLong, 10));
        assert_eq!((lines.advance().unwrap(), lines.bytes()), (Step::Line, &b"ab"[..]));
        assert_eq!((lines.advance().unwrap(), lines.number()), (Step::End, 3));
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(column("né".as_bytes(), 3), 3);
        assert_eq!(column(b"n\xe9x", 2), 3);
    }
}
