//! Games played at the board where there is no database: one file a game.

use crate::files::Files;
use crate::game_record::{ArchivedGame, GameRecord};
use crate::problem::Problem;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub enum ArchiveError {
    Unreachable(io::Error),
    Broken { id: u32, detail: String },
}

impl From<ArchiveError> for Problem {
    fn from(error: ArchiveError) -> Problem {
        let what = match error {
            ArchiveError::Unreachable(error) => format!("Saved games cannot be reached: {error}."),
            ArchiveError::Broken { id, detail } => format!("Saved game {id} cannot be read: {detail}."),
        };
        Problem::new(what, "Export this game as PGN to be safe.")
    }
}

impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> ArchiveError {
        ArchiveError::Unreachable(error)
    }
}

/// Shared by all tabs.
pub struct Archive {
    /// One writer at a time.
    files: Mutex<Box<dyn Files>>,
    /// The date and time of a game that begins now.
    date: fn() -> String,
}

fn name(id: u32) -> String {
    format!("{id}.json")
}

fn numbers(files: &dyn Files) -> io::Result<Vec<u32>> {
    let mut numbers: Vec<u32> =
        files.names()?.iter().filter_map(|name| name.strip_suffix(".json")?.parse().ok()).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

fn read(files: &dyn Files, id: u32) -> Result<Option<ArchivedGame>, ArchiveError> {
    match files.read(&name(id)) {
        Ok(text) => serde_json::from_slice(&text)
            .map(Some)
            .map_err(|error| ArchiveError::Broken { id, detail: error.to_string() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn write(files: &dyn Files, game: &ArchivedGame) -> Result<(), ArchiveError> {
    let text = serde_json::to_vec(game).map_err(io::Error::other)?;
    Ok(files.write(&name(game.id), &text)?)
}

impl Archive {
    pub fn new(files: impl Files + 'static, date: fn() -> String) -> Archive {
        Archive { files: Mutex::new(Box::new(files)), date }
    }

    fn lock(&self) -> MutexGuard<'_, Box<dyn Files>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn add(&self, record: &GameRecord) -> Result<u32, ArchiveError> {
        let files = self.lock();
        let id = numbers(&**files)?.last().map_or(1, |last| last + 1);
        write(&**files, &ArchivedGame { id, created: (self.date)(), record: record.clone() })?;
        Ok(id)
    }

    /// Writes what a move changes, and the sides, which may be switched.
    pub fn update(&self, id: u32, record: &GameRecord) -> Result<(), ArchiveError> {
        let files = self.lock();
        match read(&**files, id)? {
            Some(game) => write(&**files, &ArchivedGame { record: record.clone(), ..game }),
            None => Ok(()),
        }
    }

    pub fn get(&self, id: u32) -> Result<Option<ArchivedGame>, ArchiveError> {
        read(&**self.lock(), id)
    }

    /// The latest games whose players, opening, result or date contain the words; and how many there are in all.
    pub fn list(&self, search: &str, most: u32) -> Result<(Vec<ArchivedGame>, u32), ArchiveError> {
        let files = self.lock();
        let words = search.trim().to_lowercase();
        let (mut found, mut total) = (Vec::new(), 0);
        for id in numbers(&**files)?.into_iter().rev() {
            let Some(game) = read(&**files, id)? else { continue };
            if game.record.moves.is_empty() || !matches(&game, &words) {
                continue;
            }
            total += 1;
            if found.len() < most as usize {
                found.push(game);
            }
        }
        Ok((found, total))
    }

    pub fn delete(&self, id: u32) -> Result<(), ArchiveError> {
        match self.lock().remove(&name(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }
}

fn matches(game: &ArchivedGame, words: &str) -> bool {
    let record = &game.record;
    let opening = record.opening.as_deref().unwrap_or_default();
    let texts = [&*record.white, &*record.black, &*record.result, &*game.created, opening];
    texts.iter().any(|text| text.to_lowercase().contains(words))
}

#[cfg(test)]
mod tests;
