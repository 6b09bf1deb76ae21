//! Reading blocks; a broken one is named by its place, and can be stepped over when its head is whole.

use super::error::FileError;
use super::format::{BLOCK_HEAD_BYTES, BLOCK_MAGIC, LONGEST_BLOCK, word};
use super::header::{HEADER_BYTES, Header};
use crate::game::GameRecord;
use common::crc32;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// One block whose checksum fits.
pub struct Block {
    /// Where it begins.
    pub offset: u64,
    pub games: u32,
    pub plies: u32,
    payload: Vec<u8>,
    path: PathBuf,
}

impl Block {
    /// Its games, each move checked.
    pub fn games(&self) -> Result<Vec<GameRecord>, FileError> {
        let mut rest = self.payload.as_slice();
        let mut games = Vec::with_capacity(self.games.min(1 << 16) as usize);
        while !rest.is_empty() {
            let game = GameRecord::read(&mut rest).map_err(|error| FileError {
                path: self.path.clone(),
                offset: self.offset,
                what: format!("game {} of this block: {error}", games.len() + 1),
            })?;
            games.push(game);
        }
        if games.len() != self.games as usize {
            let what = format!("the block holds {} games, its head says {}", games.len(), self.games);
            return Err(FileError { path: self.path.clone(), offset: self.offset, what });
        }
        Ok(games)
    }
}

/// A file of games, block by block.
pub struct Reader<R> {
    input: R,
    path: PathBuf,
    header: Header,
    offset: u64,
}

impl Reader<BufReader<File>> {
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let fault =
            |error: &dyn std::fmt::Display| FileError::of_file(path, format!("cannot be opened: {error}"));
        // Asked before it is opened: opening a pipe without a writer waits for ever.
        let metadata = std::fs::metadata(path).map_err(|error| fault(&error))?;
        if !metadata.is_file() {
            return Err(fault(&"not a regular file"));
        }
        let file = File::open(path).map_err(|error| fault(&error))?;
        Reader::new(BufReader::with_capacity(1 << 20, file), path)
    }
}

impl<R: Read> Reader<R> {
    /// `path` is for messages only.
    pub fn new(mut input: R, path: &Path) -> Result<Self, FileError> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        let fault = |what| FileError { path: path.to_path_buf(), offset: 0, what };
        (&mut input)
            .take(HEADER_BYTES as u64)
            .read_to_end(&mut bytes)
            .map_err(|error| fault(error.to_string()))?;
        let header = Header::from_bytes(&bytes).map_err(fault)?;
        Ok(Self { input, path: path.to_path_buf(), header, offset: HEADER_BYTES as u64 })
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where the next block begins, or the end of the last whole one.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    fn fault(&self, what: impl Into<String>) -> FileError {
        FileError { path: self.path.clone(), offset: self.offset, what: what.into() }
    }

    /// The next block; `None` at the end of the file. After an error inside a block whose head is whole, the next
    /// call goes on behind it.
    pub fn next_block(&mut self) -> Result<Option<Block>, FileError> {
        let mut head = Vec::with_capacity(BLOCK_HEAD_BYTES);
        (&mut self.input)
            .take(BLOCK_HEAD_BYTES as u64)
            .read_to_end(&mut head)
            .map_err(|error| self.fault(error.to_string()))?;
        if head.is_empty() {
            return Ok(None);
        }
        if head.len() < BLOCK_HEAD_BYTES {
            return Err(self.fault(format!("the head of a block ends after {} bytes", head.len())));
        }
        let length = word(&head, 4) as usize;
        if head[..4] != BLOCK_MAGIC || word(&head, 20) != crc32(&head[..20]) || length > LONGEST_BLOCK {
            return Err(self.fault("no block begins here: its magic or the checksum of its head is wrong"));
        }
        let mut payload = Vec::with_capacity(length);
        (&mut self.input)
            .take(length as u64)
            .read_to_end(&mut payload)
            .map_err(|error| self.fault(error.to_string()))?;
        if payload.len() < length {
            let found = payload.len();
            return Err(self.fault(format!("the block ends after {found} bytes, its head says {length}")));
        }
        let fits = crc32(&payload) == word(&head, 16);
        let block = Block {
            offset: self.offset,
            games: word(&head, 8),
            plies: word(&head, 12),
            payload,
            path: self.path.clone(),
        };
        let fault = self.fault("the block's checksum does not fit: its bytes were changed");
        self.offset += (BLOCK_HEAD_BYTES + length) as u64;
        if fits { Ok(Some(block)) } else { Err(fault) }
    }
}

/// Every game of a file. Broken blocks are stepped over where that is possible; each is passed to `broken`.
pub fn read_all(
    path: &Path,
    mut visit: impl FnMut(GameRecord),
    mut broken: impl FnMut(FileError),
) -> Result<(), FileError> {
    let mut reader = Reader::open(path)?;
    loop {
        let before = reader.offset();
        let block = match reader.next_block() {
            Ok(None) => return Ok(()),
            Ok(Some(block)) => block.games(),
            Err(error) => Err(error),
        };
        match block {
            Ok(games) => games.into_iter().for_each(&mut visit),
            Err(error) => {
                let stuck = reader.offset() == before;
                broken(error);
                if stuck {
                    return Ok(());
                }
            }
        }
    }
}
