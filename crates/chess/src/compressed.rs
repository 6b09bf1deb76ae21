//! Text that may be compressed: zstd is recognised by its first bytes, anything else passes through.
//!
//! Large collections (the Lichess database, our books) come as zstd, some of them in many frames one after another,
//! with skippable frames between. The decoder is pure Rust and its window is bounded.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::Path;

/// First bytes of a frame, and of a skippable frame but for the low four bits of its first byte.
const FRAME: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const SKIPPABLE: [u8; 4] = [0x50, 0x2a, 0x4d, 0x18];

/// Reads plain bytes, whatever the input held.
pub struct Decompressed<R: Read> {
    source: BufReader<Chain<Cursor<Vec<u8>>, R>>,
    state: State,
}

enum State {
    Plain,
    BetweenFrames,
    InFrame(Box<FrameDecoder>),
}

/// Looks at the first four bytes and reads accordingly from then on.
pub fn reader<R: Read>(mut input: R) -> io::Result<Decompressed<R>> {
    let mut head = Vec::with_capacity(4);
    (&mut input).take(4).read_to_end(&mut head)?;
    let skippable = head.len() == 4 && head[0] & 0xf0 == SKIPPABLE[0] && head[1..] == SKIPPABLE[1..];
    let state = if head == FRAME || skippable { State::BetweenFrames } else { State::Plain };
    Ok(Decompressed { source: BufReader::with_capacity(1 << 16, Cursor::new(head).chain(input)), state })
}

/// Opens a file, plain or compressed. A device, a pipe or a folder is refused: some of them never end.
pub fn open(path: impl AsRef<Path>) -> io::Result<Decompressed<File>> {
    // Asked before it is opened: opening a pipe without a writer waits for ever.
    if !std::fs::metadata(&path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    reader(File::open(path)?)
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match &mut self.state {
                State::Plain => return self.source.read(buffer),
                State::BetweenFrames => {
                    if self.source.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    self.open_frame()?;
                }
                State::InFrame(decoder) => {
                    while decoder.can_collect() < buffer.len() && !decoder.is_finished() {
                        let missing = buffer.len() - decoder.can_collect();
                        decoder
                            .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBytes(missing))
                            .map_err(|error| broken(&error))?;
                    }
                    let count = decoder.read(buffer)?;
                    if count > 0 || buffer.is_empty() {
                        return Ok(count);
                    }
                    self.state = State::BetweenFrames;
                }
            }
        }
    }
}

impl<R: Read> Decompressed<R> {
    fn open_frame(&mut self) -> io::Result<()> {
        let mut decoder = Box::new(FrameDecoder::new());
        match decoder.init(&mut self.source) {
            Ok(()) => self.state = State::InFrame(decoder),
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                io::copy(&mut (&mut self.source).take(u64::from(length)), &mut io::sink())?;
            }
            Err(error) => return Err(broken(&error)),
        }
        Ok(())
    }
}

fn broken(error: &FrameDecoderError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("zstd: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "hello " and "world", each a frame with one raw block.
    fn frame(text: &[u8]) -> Vec<u8> {
        // Single segment, one byte of content size; then a last raw block of as many bytes.
        let size = text.len() as u8;
        [&FRAME[..], &[0x20, size, 1 | size << 3, size >> 5, 0], text].concat()
    }

    fn read(input: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        reader(input)?.read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn plain_text_passes_through() {
        for text in ["", "a", "1. e4 e5 *"] {
            assert_eq!(read(text.as_bytes()).unwrap(), text);
        }
    }

    #[test]
    fn frames_follow_one_another_past_skippable_ones() {
        let skippable = [0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9];
        let input = [&skippable[..], &frame(b"hello "), &skippable, &frame(b"world")].concat();
        assert_eq!(read(&input).unwrap(), "hello world");
    }

    #[test]
    fn files_are_opened_and_devices_refused() {
        let path = std::env::temp_dir().join(format!("tabiya-compressed-{}", std::process::id()));
        for bytes in [b"1. e4 *".to_vec(), frame(b"1. e4 *")] {
            std::fs::write(&path, bytes).unwrap();
            let mut text = String::new();
            open(&path).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "1. e4 *");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(open(&path).is_err());
        #[cfg(unix)]
        assert!(open("/dev/zero").is_err_and(|error| error.to_string() == "not a regular file"));
    }

    #[test]
    fn broken_frames_are_errors() {
        let whole = frame(b"hello");
        assert!(read(&whole[..whole.len() - 2]).is_err());
        assert!(read(&[&whole[..], b"trailing garbage"].concat()).is_err());
    }
}
