//! A file of EPD lines.

use super::{Epd, EpdError, EpdFault, EpdFileError, MAX_LENGTH};
use crate::lines::{Lines, Step, decode};
use std::io::Read;

/// Yields each position with the number of its line. Empty lines and lines that begin with `#` are passed over; a
/// line that cannot be read is reported and the next one follows.
pub struct EpdReader<R> {
    lines: Lines<R>,
    finished: bool,
}

impl<R: Read> EpdReader<R> {
    pub fn new(input: R) -> EpdReader<R> {
        EpdReader { lines: Lines::new(input, MAX_LENGTH), finished: false }
    }
}

impl<R: Read> Iterator for EpdReader<R> {
    type Item = Result<(u64, Epd), EpdFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.finished {
            let step = match self.lines.advance() {
                Ok(step) => step,
                Err(error) => {
                    self.finished = true;
                    return Some(Err(EpdFileError::Io(error)));
                }
            };
            let number = self.lines.number();
            let read = match step {
                Step::End => break,
                Step::TooLong => Err(EpdError { column: MAX_LENGTH + 1, fault: EpdFault::TooLong }),
                Step::Line => {
                    let text = decode(self.lines.bytes());
                    let text = text.trim_end();
                    if text.trim_start().is_empty() || text.starts_with('#') {
                        continue;
                    }
                    Epd::parse(text)
                }
            };
            return Some(match read {
                Ok(epd) => Ok((number, epd)),
                Err(error) => Err(EpdFileError::Line { number, error }),
            });
        }
        self.finished = true;
        None
    }
}
