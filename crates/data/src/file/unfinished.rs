//! The game that a run was at, beside its file of games: the header of that file, the number of the game (8 bytes), the
//! plies so far as a game ([`crate::game`]), and the CRC-32 of all before.

use super::error::FileError;
use super::header::{HEADER_BYTES, Header};
use crate::game::{Ending, GameRecord, GameResult};
use crate::play::UnfinishedGame;
use common::{crc32, read_bounded};
use std::path::{Path, PathBuf};

/// Bytes of the longest game that can be written, and more.
const LARGEST: u64 = 1 << 20;

/// The file beside a file of games.
pub struct UnfinishedFile {
    path: PathBuf,
    header: Header,
}

impl UnfinishedFile {
    pub fn beside(games: &Path, header: Header) -> UnfinishedFile {
        UnfinishedFile { path: games.with_extension("unfinished"), header }
    }

    /// The kept part of game number `number`; `None` when there is none, or it is damaged or of another run.
    pub fn read(&self, number: u64) -> Option<UnfinishedGame> {
        let bytes = read_bounded(&self.path, LARGEST).ok()?;
        let (body, sum) = bytes.split_last_chunk::<4>()?;
        if crc32(body) != u32::from_le_bytes(*sum) {
            return None;
        }
        let rest = body.strip_prefix(&self.header.to_bytes())?;
        let (found, mut rest) = rest.split_first_chunk::<8>()?;
        if u64::from_le_bytes(*found) != number {
            return None;
        }
        let GameRecord { start, plies, .. } = GameRecord::read(&mut rest).ok()?;
        Some(UnfinishedGame { start, plies })
    }

    /// Replaces the file as a whole: a kill leaves the old one or the new one.
    pub fn write(&self, number: u64, game: &UnfinishedGame) -> Result<(), FileError> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + 512);
        bytes.extend_from_slice(&self.header.to_bytes());
        bytes.extend_from_slice(&number.to_le_bytes());
        let UnfinishedGame { start, plies } = game.clone();
        GameRecord { start, plies, result: GameResult::Draw, ending: Ending::Rules }.write(&mut bytes);
        bytes.extend_from_slice(&crc32(&bytes).to_le_bytes());
        let new = self.path.with_extension("unfinished.new");
        std::fs::write(&new, bytes)
            .and_then(|()| std::fs::rename(&new, &self.path))
            .map_err(|error| FileError::of_file(&self.path, format!("cannot be written: {error}")))
    }

    /// The game is in the file of games.
    pub fn remove(&self) {
        // One that stays is of a game that is over, and not read again.
        let _ = std::fs::remove_file(&self.path);
    }
}
