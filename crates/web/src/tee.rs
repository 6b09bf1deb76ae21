//! A reader that keeps what came first.

use std::io::{self, Read};

/// Passes a reader on and keeps a copy of its first bytes.
pub struct Tee<R> {
    input: R,
    pub start: Vec<u8>,
    limit: usize,
}

impl<R> Tee<R> {
    pub fn new(input: R, limit: usize) -> Tee<R> {
        Tee { input, start: Vec::new(), limit }
    }
}

impl<R: Read> Read for Tee<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        let kept = count.min(self.limit - self.start.len());
        self.start.extend_from_slice(&buffer[..kept]);
        Ok(count)
    }
}
