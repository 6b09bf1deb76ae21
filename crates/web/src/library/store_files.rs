//! The library where there is no database: one file a game, and one for the player's names. All of it is in memory as well.

use super::found::{Found, Waiting, listed, open_text, player_side, position_key, read_games};
use super::game::Facts;
use super::progress::{self, Reviewed};
use crate::files::Files;
use crate::limits;
use crate::messages::{OpenedGame, OwnFilter, OwnGame, OwnGames, OwnImport, OwnProgress};
use crate::openings::Openings;
use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};

const NAMES: &str = "names.json";

/// A game as its file has it.
#[derive(Clone, Serialize, Deserialize)]
struct Kept {
    fingerprint: i64,
    white: String,
    black: String,
    white_elo: Option<u32>,
    black_elo: Option<u32>,
    event: String,
    date: String,
    result: String,
    opening: Option<String>,
    speed: String,
    plies: u32,
    keys: Vec<u64>,
    pgn: String,
    review: Option<Reviewed>,
}

#[derive(Default)]
struct Content {
    games: BTreeMap<u32, Kept>,
    fingerprints: HashSet<i64>,
    names: Vec<String>,
}

pub struct Library {
    files: Box<dyn Files>,
    content: Mutex<Content>,
    /// Numbers of the board's saved games that were added since the start.
    taken: Mutex<HashSet<u32>>,
}

#[allow(clippy::needless_pass_by_value)] // so that it fits map_err
fn trouble(error: io::Error) -> Problem {
    Problem::new(format!("Your games cannot be reached: {error}."), "Export them to be safe.")
}

fn name(id: u32) -> String {
    format!("{id}.json")
}

impl Library {
    /// Reads what is there. A file that cannot be read is left alone.
    pub fn new(files: impl Files + 'static) -> Library {
        let mut content = Content::default();
        for file in files.names().unwrap_or_default() {
            let Ok(text) = files.read(&file) else { continue };
            if file == NAMES {
                content.names = serde_json::from_slice(&text).unwrap_or_default();
            } else if let Some(id) = file.strip_suffix(".json").and_then(|id| id.parse().ok())
                && let Ok(kept) = serde_json::from_slice::<Kept>(&text)
            {
                content.fingerprints.insert(kept.fingerprint);
                content.games.insert(id, kept);
            }
        }
        Library { files: Box::new(files), content: Mutex::new(content), taken: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, id: u32, kept: &Kept) -> Result<(), Problem> {
        let text = serde_json::to_vec(kept).map_err(io::Error::other).map_err(trouble)?;
        self.files.write(&name(id), &text).map_err(trouble)
    }

    /// Whether this saved game of the board was not taken yet; it is from now on.
    pub fn take(&self, game: u32) -> bool {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).insert(game)
    }

    /// Adds the games of a file that are not there yet. Games that cannot be read are counted, not kept.
    pub fn import(&self, input: impl Read, openings: &Openings) -> Result<OwnImport, Problem> {
        read_games(input, openings, |facts, pgn| self.insert(facts, pgn))
    }

    /// Whether the game was new.
    fn insert(&self, facts: &Facts, pgn: &str) -> Result<bool, Problem> {
        let mut content = self.lock();
        if content.fingerprints.contains(&facts.fingerprint) {
            return Ok(false);
        }
        let id = content.games.keys().next_back().map_or(1, |last| last + 1);
        let keys = facts.keys.as_chunks::<8>().0.iter().map(|key| u64::from_le_bytes(*key)).collect();
        let kept = Kept {
            fingerprint: facts.fingerprint,
            white: facts.white.clone(),
            black: facts.black.clone(),
            white_elo: facts.white_elo,
            black_elo: facts.black_elo,
            event: facts.event.clone(),
            date: facts.date.clone(),
            result: facts.result.clone(),
            opening: facts.opening.clone(),
            speed: facts.speed.to_string(),
            plies: facts.plies,
            keys,
            pgn: pgn.to_string(),
            review: None,
        };
        self.write(id, &kept)?;
        content.fingerprints.insert(kept.fingerprint);
        content.games.insert(id, kept);
        Ok(true)
    }

    /// The names under which the player plays. It cannot fail; the database can.
    #[allow(clippy::unnecessary_wraps)]
    pub fn names(&self) -> Result<Vec<String>, Problem> {
        Ok(self.lock().names.clone())
    }

    /// Sets the player's names. Reviews that were made for another side are made again.
    pub fn set_names(&self, names: &[String]) -> Result<(), Problem> {
        let mut wanted: Vec<String> = Vec::new();
        for name in names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()).take(20) {
            let short: String = name.chars().take(limits::WORDS).collect();
            if !wanted.iter().any(|known| known.eq_ignore_ascii_case(&short)) {
                wanted.push(short);
            }
        }
        let mut content = self.lock();
        if content.names == wanted {
            return Ok(());
        }
        let text = serde_json::to_vec(&wanted).map_err(io::Error::other).map_err(trouble)?;
        self.files.write(NAMES, &text).map_err(trouble)?;
        content.names = wanted;
        for (id, kept) in content.games.iter_mut().filter(|(_, kept)| kept.review.is_some()) {
            kept.review = None;
            self.write(*id, kept)?;
        }
        Ok(())
    }

    /// The games that a filter lets through, the latest first, and sums over all of them.
    pub fn list(&self, filter: &OwnFilter) -> Result<OwnGames, Problem> {
        let rows = self.matching(filter)?;
        let content = self.lock();
        Ok(listed(rows, content.games.len() as u32, content.names.clone()))
    }

    /// The PGN of every game that a filter lets through.
    pub fn export(&self, filter: &OwnFilter) -> Result<String, Problem> {
        let rows = self.matching(filter)?;
        let content = self.lock();
        let texts = rows.iter().filter_map(|row| content.games.get(&row.game.id));
        Ok(texts.flat_map(|kept| [kept.pgn.trim_end(), "\n\n"]).collect())
    }

    pub fn open_game(&self, id: u32, openings: &Openings) -> Result<OpenedGame, Problem> {
        let pgn = self.lock().games.get(&id).map(|kept| kept.pgn.clone());
        open_text(pgn.as_deref(), openings)
    }

    pub fn delete(&self, id: u32) -> Result<(), Problem> {
        let mut content = self.lock();
        if let Some(kept) = content.games.remove(&id) {
            content.fingerprints.remove(&kept.fingerprint);
            self.files.remove(&name(id)).map_err(trouble)?;
        }
        Ok(())
    }

    /// Finished games of the player that have no review yet, the latest first. It cannot fail; the database can.
    #[allow(clippy::unnecessary_wraps)]
    pub fn waiting(&self) -> Result<Vec<Waiting>, Problem> {
        let content = self.lock();
        let wait = |(id, kept): (&u32, &Kept)| {
            let player_is_white = player_side(&content.names, &kept.white, &kept.black)?;
            let waits = kept.review.is_none();
            waits.then(|| (kept.date.clone(), Waiting { id: *id, pgn: kept.pgn.clone(), player_is_white }))
        };
        let mut rows: Vec<(String, Waiting)> = content.games.iter().filter_map(wait).collect();
        rows.sort_by(|(date, one), (later, other)| (later, other.id).cmp(&(date, one.id)));
        Ok(rows.into_iter().map(|(_, waiting)| waiting).collect())
    }

    pub fn save_review(&self, id: u32, review: &Reviewed) -> Result<(), Problem> {
        let mut content = self.lock();
        let Some(kept) = content.games.get_mut(&id) else { return Ok(()) };
        kept.review = Some(review.clone());
        self.write(id, kept)
    }

    /// What the reviews of the games that a filter lets through come to.
    pub fn progress(&self, filter: &OwnFilter) -> Result<OwnProgress, Problem> {
        let rows = self.matching(filter)?;
        Ok(progress::sum_up(rows.into_iter().filter_map(|row| Some((row.game, row.review?)))))
    }

    /// How games of the player went on from a position, each with the player's half points.
    pub fn continuations(&self, fen: &str) -> Result<Vec<(u64, u32)>, Problem> {
        let filter = OwnFilter { position: Some(fen.to_string()), ..OwnFilter::default() };
        Ok(self.matching(&filter)?.iter().filter_map(Found::continuation).collect())
    }

    fn matching(&self, filter: &OwnFilter) -> Result<Vec<Found>, Problem> {
        let key = position_key(filter)?.map(u64::from_le_bytes);
        let content = self.lock();
        let mut rows: Vec<Found> = content
            .games
            .iter()
            .filter_map(|(id, kept)| {
                let Some(key) = key else { return Some(found(*id, kept, None, &content.names)) };
                let at = kept.keys.iter().position(|known| *known == key)?;
                Some(found(*id, kept, kept.keys.get(at + 1).copied(), &content.names))
            })
            .filter(|row| row.passes(filter))
            .collect();
        rows.sort_by(|one, other| (&other.game.date, other.game.id).cmp(&(&one.game.date, one.game.id)));
        Ok(rows)
    }
}

fn found(id: u32, kept: &Kept, next: Option<u64>, names: &[String]) -> Found {
    let game = OwnGame {
        id,
        white: kept.white.clone(),
        black: kept.black.clone(),
        white_elo: kept.white_elo,
        black_elo: kept.black_elo,
        event: kept.event.clone(),
        date: kept.date.clone(),
        result: kept.result.clone(),
        opening: kept.opening.clone(),
        speed: kept.speed.clone(),
        plies: kept.plies,
        ..OwnGame::default()
    };
    Found::new(game, kept.review.clone(), next, names)
}
