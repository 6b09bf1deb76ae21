//! Writing blocks, and going on where an earlier run stopped.

use super::error::FileError;
use super::format::{BLOCK_HEAD_BYTES, BLOCK_MAGIC};
use super::header::{HEADER_BYTES, Header};
use super::reader::Reader;
use crate::game::GameRecord;
use common::crc32;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Bytes after which a block is closed: half a minute of one core's play at a thousand nodes a move.
const BLOCK_BYTES: usize = 1 << 15;

pub struct Writer {
    file: File,
    path: PathBuf,
    /// Where the next block goes: all before it is whole.
    end: u64,
    pending: Vec<u8>,
    pending_games: u32,
    pending_plies: u32,
    games: u64,
    plies: u64,
}

impl Writer {
    /// Makes the file, or continues it: a torn block at its end is cut off. A file of another run is refused.
    pub fn open(path: &Path, header: &Header) -> Result<Writer, FileError> {
        let fault = |offset, what| FileError { path: path.to_path_buf(), offset, what };
        let mut how = OpenOptions::new();
        how.create(true).read(true).write(true).truncate(false);
        let mut writer = Writer::on(path, &how)?;
        let length = writer.file.metadata().map_err(|error| fault(0, error.to_string()))?.len();
        if length < HEADER_BYTES as u64 {
            writer.put(0, &header.to_bytes())?;
            return Ok(writer);
        }
        let mut reader = Reader::open(path)?;
        if reader.header() != header {
            let found = reader.header();
            return Err(fault(0, format!("holds another run ({found:?}), expected {header:?}")));
        }
        while let Ok(Some(block)) = reader.next_block() {
            writer.games += u64::from(block.games);
            writer.plies += u64::from(block.plies);
            writer.end = reader.offset();
        }
        writer.file.set_len(writer.end).map_err(|error| fault(writer.end, error.to_string()))?;
        Ok(writer)
    }

    /// Makes a new file. One that exists is refused, or emptied when `overwrite` is set.
    pub fn create(path: &Path, header: &Header, overwrite: bool) -> Result<Writer, FileError> {
        let mut how = OpenOptions::new();
        if overwrite {
            how.create(true).truncate(true);
        } else {
            how.create_new(true);
        }
        let mut writer = Writer::on(path, how.write(true))?;
        writer.put(0, &header.to_bytes())?;
        Ok(writer)
    }

    fn on(path: &Path, how: &OpenOptions) -> Result<Writer, FileError> {
        let file = how
            .open(path)
            .map_err(|error| FileError::of_file(path, format!("cannot be opened for writing: {error}")))?;
        Ok(Writer {
            file,
            path: path.to_path_buf(),
            end: HEADER_BYTES as u64,
            pending: Vec::new(),
            pending_games: 0,
            pending_plies: 0,
            games: 0,
            plies: 0,
        })
    }

    /// Games kept so far, those of earlier runs included.
    pub fn games(&self) -> u64 {
        self.games + u64::from(self.pending_games)
    }

    /// Plies kept so far, those of earlier runs included.
    pub fn plies(&self) -> u64 {
        self.plies + u64::from(self.pending_plies)
    }

    pub fn write(&mut self, game: &GameRecord) -> Result<(), FileError> {
        game.write(&mut self.pending);
        self.pending_games += 1;
        self.pending_plies += game.plies.len() as u32;
        if self.pending.len() >= BLOCK_BYTES { self.flush() } else { Ok(()) }
    }

    /// Closes the block that is being filled. When the disk refuses it, the file ends with the last whole block and
    /// the games stay in memory.
    pub fn flush(&mut self) -> Result<(), FileError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut bytes = Vec::with_capacity(BLOCK_HEAD_BYTES + self.pending.len());
        bytes.extend_from_slice(&BLOCK_MAGIC);
        bytes.extend_from_slice(&(self.pending.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&self.pending_games.to_le_bytes());
        bytes.extend_from_slice(&self.pending_plies.to_le_bytes());
        bytes.extend_from_slice(&crc32(&self.pending).to_le_bytes());
        bytes.extend_from_slice(&crc32(&bytes).to_le_bytes());
        bytes.extend_from_slice(&self.pending);
        self.put(self.end, &bytes)?;
        self.end += bytes.len() as u64;
        self.games += u64::from(self.pending_games);
        self.plies += u64::from(self.pending_plies);
        self.pending.clear();
        self.pending_games = 0;
        self.pending_plies = 0;
        Ok(())
    }

    fn put(&mut self, at: u64, bytes: &[u8]) -> Result<(), FileError> {
        let written = self.file.seek(SeekFrom::Start(at)).and_then(|_| self.file.write_all(bytes));
        written.map_err(|error: io::Error| {
            // Best effort: a reader stops at a torn block anyway, and the next run cuts it off.
            let _ = self.file.set_len(at);
            let what = format!("{} bytes could not be written: {error}", bytes.len());
            FileError { path: self.path.clone(), offset: at, what }
        })
    }
}
