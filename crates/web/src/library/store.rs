//! The SQLite file of the library.

use super::found::{Found, Waiting, listed, open_text, player_side, position_key, read_games};
use super::game::Facts;
use super::progress::{self, Reviewed};
use crate::limits;
use crate::messages::{OpenedGame, OwnFilter, OwnGame, OwnGames, OwnImport, OwnProgress};
use crate::openings::Openings;
use crate::private_file;
use crate::problem::Problem;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::HashSet;
use std::io::Read;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

const SCHEMA_VERSION: i32 = 1;
/// "TbLb".
const APPLICATION_ID: i32 = 0x5462_4c62;
const SCHEMA: &str = "
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    fingerprint INTEGER NOT NULL UNIQUE,
    white TEXT NOT NULL, black TEXT NOT NULL, white_elo INTEGER, black_elo INTEGER,
    event TEXT NOT NULL, date TEXT NOT NULL, result TEXT NOT NULL, opening TEXT, speed TEXT NOT NULL,
    plies INTEGER NOT NULL, keys BLOB NOT NULL, pgn TEXT NOT NULL, review TEXT
);
CREATE TABLE names (name TEXT NOT NULL UNIQUE COLLATE NOCASE);
";

pub struct Library {
    connection: Mutex<Connection>,
    /// Numbers of the board's saved games that were added since the start.
    taken: Mutex<HashSet<u32>>,
}

#[allow(clippy::needless_pass_by_value)] // so that it fits map_err
fn trouble(error: rusqlite::Error) -> Problem {
    Problem::new(format!("Your games cannot be reached: {error}."), "Check the data folder.")
}

impl Library {
    /// Opens `library.sqlite` in a folder, making both if missing.
    pub fn open(folder: &Path) -> Result<Library, String> {
        let path = folder.join("library.sqlite");
        let words = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        private_file::create_folder(folder).map_err(|error| words(&error))?;
        private_file::secure(&path).map_err(|error| words(&error))?;
        let connection = Connection::open(&path).map_err(|error| words(&error))?;
        let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let application = pragma("application_id").map_err(|error| words(&error))?;
        let version = pragma("user_version").map_err(|error| words(&error))?;
        match (application, version) {
            (0, 0) => {
                let setup = format!(
                    "BEGIN IMMEDIATE; {SCHEMA} PRAGMA application_id = {APPLICATION_ID}; \
                     PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
                );
                connection.execute_batch(&setup).map_err(|error| words(&error))?;
            }
            (APPLICATION_ID, SCHEMA_VERSION) => {}
            (APPLICATION_ID, _) => return Err(words(&"written by a newer version")),
            _ => return Err(words(&"not a file of imported games")),
        }
        Ok(Library { connection: Mutex::new(connection), taken: Mutex::default() })
    }

    fn with<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Problem> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        work(&connection).map_err(trouble)
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
    pub fn insert(&self, facts: &Facts, pgn: &str) -> Result<bool, Problem> {
        let added = self.with(|connection| {
            connection.execute(
                "INSERT OR IGNORE INTO games (fingerprint, white, black, white_elo, black_elo, event, date, result, \
                 opening, speed, plies, keys, pgn) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                params![
                    facts.fingerprint, facts.white, facts.black, facts.white_elo, facts.black_elo, facts.event,
                    facts.date, facts.result, facts.opening, facts.speed, facts.plies, facts.keys, pgn,
                ],
            )
        })?;
        Ok(added > 0)
    }

    /// The names under which the player plays.
    pub fn names(&self) -> Result<Vec<String>, Problem> {
        self.with(|connection| {
            let mut statement = connection.prepare("SELECT name FROM names ORDER BY rowid")?;
            statement.query_map([], |row| row.get(0))?.collect()
        })
    }

    /// Sets the player's names. Reviews that were made for another side are made again.
    pub fn set_names(&self, names: &[String]) -> Result<(), Problem> {
        let before = self.names()?;
        self.with(|connection| {
            connection.execute("DELETE FROM names", [])?;
            for name in names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()).take(20) {
                let short: String = name.chars().take(limits::WORDS).collect();
                connection.execute("INSERT OR IGNORE INTO names (name) VALUES (?1)", [short])?;
            }
            Ok(())
        })?;
        if before != self.names()? {
            self.with(|connection| connection.execute("UPDATE games SET review = NULL", []))?;
        }
        Ok(())
    }

    /// The games that a filter lets through, the latest first, and sums over all of them.
    pub fn list(&self, filter: &OwnFilter) -> Result<OwnGames, Problem> {
        let rows = self.matching(filter)?;
        let all =
            self.with(|connection| connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0)))?;
        Ok(listed(rows, all, self.names()?))
    }

    /// The PGN of every game that a filter lets through.
    pub fn export(&self, filter: &OwnFilter) -> Result<String, Problem> {
        let ids: Vec<u32> = self.matching(filter)?.into_iter().map(|row| row.game.id).collect();
        self.with(|connection| {
            let mut statement = connection.prepare("SELECT pgn FROM games WHERE id = ?1")?;
            let mut text = String::new();
            for id in ids {
                let pgn: String = statement.query_row([id], |row| row.get(0))?;
                text += pgn.trim_end();
                text += "\n\n";
            }
            Ok(text)
        })
    }

    pub fn open_game(&self, id: u32, openings: &Openings) -> Result<OpenedGame, Problem> {
        let pgn: Option<String> = self.with(|connection| {
            connection.query_row("SELECT pgn FROM games WHERE id = ?1", [id], |row| row.get(0)).optional()
        })?;
        open_text(pgn.as_deref(), openings)
    }

    pub fn delete(&self, id: u32) -> Result<(), Problem> {
        self.with(|connection| connection.execute("DELETE FROM games WHERE id = ?1", [id])).map(|_| ())
    }

    /// Finished games of the player that have no review yet, the latest first.
    pub fn waiting(&self) -> Result<Vec<Waiting>, Problem> {
        let names = self.names()?;
        let rows = self.with(|connection| {
            let mut statement = connection.prepare(
                "SELECT id, pgn, white, black FROM games WHERE review IS NULL ORDER BY date DESC, id DESC",
            )?;
            let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
            statement.query_map([], read)?.collect::<rusqlite::Result<Vec<(u32, String, String, String)>>>()
        })?;
        let wait = |(id, pgn, white, black): (u32, String, String, String)| {
            Some(Waiting { id, pgn, player_is_white: player_side(&names, &white, &black)? })
        };
        Ok(rows.into_iter().filter_map(wait).collect())
    }

    pub fn save_review(&self, id: u32, review: &Reviewed) -> Result<(), Problem> {
        let text = serde_json::to_string(review).unwrap_or_default();
        self.with(|connection| {
            connection.execute("UPDATE games SET review = ?2 WHERE id = ?1", params![id, text]).map(|_| ())
        })
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
        let names = self.names()?;
        let key = position_key(filter)?;
        let rows = self.with(|connection| {
            let mut statement = connection.prepare(
                "SELECT id, white, black, white_elo, black_elo, event, date, result, opening, speed, plies, keys, \
                 review FROM games ORDER BY date DESC, id DESC",
            )?;
            let mut rows = statement.query([])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                // Most games do not have the position: their other columns are not read.
                let mut next = None;
                if let Some(key) = key {
                    let mut keys = row.get_ref(11)?.as_blob().unwrap_or_default().chunks_exact(8);
                    if !keys.any(|known| known == key) {
                        continue;
                    }
                    next = keys.next().and_then(|known| Some(u64::from_le_bytes(known.try_into().ok()?)));
                }
                found.push(read(row, next, &names)?);
            }
            Ok(found)
        })?;
        Ok(rows.into_iter().filter(|row| row.passes(filter)).collect())
    }
}

fn read(row: &Row<'_>, next: Option<u64>, names: &[String]) -> rusqlite::Result<Found> {
    let review: Option<String> = row.get(12)?;
    let review: Option<Reviewed> = review.and_then(|text| serde_json::from_str(&text).ok());
    let game = OwnGame {
        id: row.get(0)?,
        white: row.get(1)?,
        black: row.get(2)?,
        white_elo: row.get(3)?,
        black_elo: row.get(4)?,
        event: row.get(5)?,
        date: row.get(6)?,
        result: row.get(7)?,
        opening: row.get(8)?,
        speed: row.get(9)?,
        plies: row.get(10)?,
        ..OwnGame::default()
    };
    Ok(Found::new(game, review, next, names))
}
