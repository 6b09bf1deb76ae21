//! Studies: annotated games that a person keeps. A study is one PGN file, each chapter a game of it,
//! named by the tags `StudyName` and `ChapterName` as Lichess writes them.

use crate::files::Files;
use crate::import::{READING, opened};
use crate::limits;
use crate::messages::{StudySummary, StudyView};
use crate::openings::Openings;
use crate::problem::Problem;
use chess::pgn::{PgnGame, PgnReader};
use std::io;
use std::sync::{Mutex, PoisonError};

pub struct Studies {
    /// One writer at a time.
    files: Mutex<Box<dyn Files>>,
}

impl Studies {
    pub fn new(files: impl Files + 'static) -> Studies {
        Studies { files: Mutex::new(Box::new(files)) }
    }

    /// Opens `studies` in a folder, making both if missing.
    #[cfg(not(target_family = "wasm"))]
    pub fn open(data: &std::path::Path) -> io::Result<Studies> {
        Ok(Studies::new(crate::disk_files::DiskFiles::open(&data.join("studies"))?))
    }

    /// The study saved last comes first.
    pub fn list(&self) -> Result<Vec<StudySummary>, Problem> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let mut studies: Vec<StudySummary> =
            numbers(&**files)?.into_iter().filter_map(|id| summary(&**files, id)).collect();
        studies.sort_by(|one, other| other.saved.total_cmp(&one.saved).then(other.id.cmp(&one.id)));
        Ok(studies)
    }

    pub fn add(&self, text: &[u8], openings: &Openings) -> Result<StudyView, Problem> {
        let games = read(text)?;
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let known = numbers(&**files)?;
        if known.len() >= limits::STUDIES {
            let what = format!("There are {} studies already.", known.len());
            return Err(Problem::new(what, "Delete one that you no longer need."));
        }
        let id = known.iter().max().map_or(1, |last| last + 1);
        write(&**files, id, text)?;
        Ok(view(id, text, &games, openings))
    }

    pub fn view(&self, id: u32, openings: &Openings) -> Result<StudyView, Problem> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let text = text(&**files, id)?;
        Ok(view(id, &text, &read(&text)?, openings))
    }

    /// Replaces a study and answers its new revision. `revision` is the one the change was made to.
    pub fn save(&self, id: u32, revision: Option<u32>, new: &[u8]) -> Result<u32, Problem> {
        read(new)?;
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let old = text(&**files, id)?;
        if revision != Some(common::crc32(&old)) {
            return Err(Problem::new(
                "This study was changed in another tab.",
                "Reload the page to see that change; export this one as PGN first if you need it.",
            ));
        }
        write(&**files, id, new)?;
        Ok(common::crc32(new))
    }

    pub fn delete(&self, id: u32) -> Result<(), Problem> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.remove(&name(id)).map_err(|error| unreachable(&error))
    }
}

fn name(id: u32) -> String {
    format!("{id}.pgn")
}

fn numbers(files: &dyn Files) -> Result<Vec<u32>, Problem> {
    let names = files.names().map_err(|error| unreachable(&error))?;
    Ok(names.iter().filter_map(|name| name.strip_suffix(".pgn")?.parse().ok()).collect())
}

fn text(files: &dyn Files, id: u32) -> Result<Vec<u8>, Problem> {
    match files.read(&name(id)) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(Problem::new("This study was deleted.", "Choose another one."))
        }
        Err(error) => Err(unreachable(&error)),
    }
}

fn write(files: &dyn Files, id: u32, text: &[u8]) -> Result<(), Problem> {
    files.write(&name(id), text).map_err(|error| unreachable(&error))
}

/// A study is saved only if it can be read again.
fn read(text: &[u8]) -> Result<Vec<PgnGame>, Problem> {
    if text.len() > limits::PGN {
        let what = format!("The study is larger than {} MB.", limits::PGN / 1_000_000);
        return Err(Problem::new(what, "Delete chapters, or move some to another study."));
    }
    let games: Result<Vec<PgnGame>, _> = PgnReader::with_limits(text, READING).collect();
    let games = games.map_err(|error| {
        Problem::new(format!("The study cannot be read: {error}."), "Undo the last change.")
    })?;
    if games.is_empty() {
        return Err(Problem::new("A study needs a chapter.", "Add a chapter."));
    }
    Ok(games)
}

fn view(id: u32, text: &[u8], games: &[PgnGame], openings: &Openings) -> StudyView {
    let chapters = games.iter().map(|game| opened(game, openings)).collect();
    StudyView { id, revision: common::crc32(text), chapters }
}

/// Reads only the tags of the first chapter.
fn summary(files: &dyn Files, id: u32) -> Option<StudySummary> {
    let text = files.read(&name(id)).ok()?;
    let games = read(&text).ok()?;
    let first = games.first()?;
    let tag = |name: &str| first.tags.get(name).filter(|value| !value.is_empty() && *value != "?");
    let players = || Some(format!("{} – {}", tag("White")?, tag("Black")?));
    let shown =
        tag("StudyName").map(str::to_string).or_else(players).or_else(|| tag("Event").map(str::to_string));
    Some(StudySummary {
        id,
        name: shown.unwrap_or_else(|| format!("Study {id}")),
        chapters: games.len() as u32,
        saved: files.saved(&name(id)).ok()?,
    })
}

fn unreachable(error: &io::Error) -> Problem {
    Problem::new(format!("Studies cannot be reached: {error}."), "Export this one as PGN to be safe.")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAPTERS: &[u8] = b"[StudyName \"Endings\"]\n[ChapterName \"One\"]\n\n1. e4 {[%csl Ge4]} *\n\n[ChapterName \"Two\"]\n\n*\n\n";

    fn studies(name: &str) -> Studies {
        let folder = std::env::temp_dir().join(format!("tabiya-studies-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Studies::open(&folder).unwrap()
    }

    #[test]
    fn a_study_is_kept_listed_changed_and_deleted() {
        let studies = studies("kept");
        let openings = Openings::embedded();
        let made = studies.add(CHAPTERS, &openings).unwrap();
        assert_eq!((made.chapters.len(), made.chapters[0].nodes[1].comments[0].as_str()), (2, "[%csl Ge4]"));
        let list = studies.list().unwrap();
        assert_eq!((list[0].name.as_str(), list[0].chapters), ("Endings", 2));
        let revision = studies.save(made.id, Some(made.revision), b"1. d4 *\n").unwrap();
        assert_eq!(studies.view(made.id, &openings).unwrap().revision, revision);
        studies.delete(made.id).unwrap();
        assert!(studies.list().unwrap().is_empty() && studies.view(made.id, &openings).is_err());
    }

    #[test]
    fn a_change_to_an_older_text_does_not_overwrite_the_newer_one() {
        let studies = studies("stale");
        let openings = Openings::embedded();
        let made = studies.add(CHAPTERS, &openings).unwrap();
        studies.save(made.id, Some(made.revision), b"1. d4 *\n").unwrap();
        assert!(
            studies
                .save(made.id, Some(made.revision), b"1. c4 *\n")
                .unwrap_err()
                .what
                .contains("another tab")
        );
        assert!(studies.save(made.id, None, b"1. c4 *\n").is_err());
        assert_eq!(studies.view(made.id, &openings).unwrap().chapters[0].nodes[1].san.as_deref(), Some("d4"));
    }

    #[test]
    fn what_cannot_be_read_again_is_not_saved() {
        let studies = studies("refused");
        let openings = Openings::embedded();
        let made = studies.add(CHAPTERS, &openings).unwrap();
        for text in [&b"1. e4 Ke2 *"[..], b"", &vec![b' '; limits::PGN + 1]] {
            assert!(studies.save(made.id, Some(made.revision), text).is_err());
        }
        assert_eq!(studies.view(made.id, &openings).unwrap().chapters.len(), 2);
    }
}
