//! Games played at the board, in one SQLite file in the user's data folder. Saved after every move, so that neither a
//! reload nor a crash loses one.

use crate::game_record::{ArchivedGame, GameRecord};
use crate::private_file;
use crate::problem::Problem;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const SCHEMA_VERSION: i32 = 1;
/// Marks our files among all SQLite files: "TbGm".
const APPLICATION_ID: i32 = 0x5462_476d;

const SCHEMA: &str = "
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    settings TEXT NOT NULL,
    white_is_player INTEGER NOT NULL,
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    start TEXT NOT NULL,
    chess960 INTEGER NOT NULL,
    moves TEXT NOT NULL,
    clocks TEXT,
    opening TEXT,
    result TEXT NOT NULL,
    reason TEXT NOT NULL,
    final TEXT NOT NULL
);
";

#[derive(Debug)]
pub enum ArchiveError {
    Database { path: PathBuf, source: rusqlite::Error },
    Folder { path: PathBuf, source: std::io::Error },
    Foreign { path: PathBuf },
    Newer { path: PathBuf, found: i32 },
    Broken { id: u32, detail: String },
}

impl std::fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ArchiveError::Database { path, source } => write!(f, "{}: {source}", path.display()),
            ArchiveError::Folder { path, source } => write!(f, "{}: {source}", path.display()),
            ArchiveError::Foreign { path } => write!(f, "{}: not a file of saved games", path.display()),
            ArchiveError::Newer { path, found } => write!(
                f,
                "{}: written by a newer version (format {found}, this program reads up to {SCHEMA_VERSION})",
                path.display()
            ),
            ArchiveError::Broken { id, detail } => write!(f, "saved game {id}: {detail}"),
        }
    }
}

impl std::error::Error for ArchiveError {}

impl From<ArchiveError> for Problem {
    fn from(error: ArchiveError) -> Problem {
        Problem::new(
            format!("Saved games cannot be reached: {error}."),
            "Export this game as PGN to be safe.",
        )
    }
}

/// Shared by all tabs.
pub struct Archive {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl Archive {
    /// Opens `games.sqlite` in a folder, making both if missing.
    pub fn open(folder: &Path) -> Result<Archive, ArchiveError> {
        private_file::create_folder(folder)
            .map_err(|source| ArchiveError::Folder { path: folder.to_owned(), source })?;
        let path = folder.join("games.sqlite");
        make_private(&path).map_err(|source| ArchiveError::Folder { path: path.clone(), source })?;
        let fail = |source| ArchiveError::Database { path: path.clone(), source };
        let connection = Connection::open(&path).map_err(fail)?;
        connection.busy_timeout(std::time::Duration::from_secs(5)).map_err(fail)?;
        let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let (version, application) = match (pragma("user_version"), pragma("application_id")) {
            (Ok(version), Ok(application)) => (version, application),
            (Err(source), _) | (_, Err(source)) => {
                let foreign = source.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase);
                return Err(if foreign { ArchiveError::Foreign { path } } else { fail(source) });
            }
        };
        let empty: bool = connection
            .query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))
            .map_err(fail)?;
        if empty {
            let setup = format!(
                "PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; {SCHEMA} \
                 PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
            );
            connection.execute_batch(&setup).map_err(fail)?;
        } else if application != APPLICATION_ID {
            return Err(ArchiveError::Foreign { path });
        } else if version > SCHEMA_VERSION {
            return Err(ArchiveError::Newer { path, found: version });
        }
        Ok(Archive { connection: Mutex::new(connection), path })
    }

    fn with<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, ArchiveError> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        work(&connection).map_err(|source| ArchiveError::Database { path: self.path.clone(), source })
    }

    pub fn add(&self, record: &GameRecord) -> Result<u32, ArchiveError> {
        self.with(|connection| {
            connection.execute(
                "INSERT INTO games (settings, white_is_player, white, black, start, chess960, moves, clocks, opening, \
                 result, reason, final) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
                params![
                    json(&record.settings),
                    record.white_is_player,
                    record.white,
                    record.black,
                    record.start,
                    record.chess960,
                    record.moves,
                    record.clocks.as_ref().map(json),
                    record.opening,
                    record.result,
                    record.reason,
                    record.last_fen,
                ],
            )?;
            Ok(connection.last_insert_rowid() as u32)
        })
    }

    /// Writes what a move changes, and the sides, which may be switched.
    pub fn update(&self, id: u32, record: &GameRecord) -> Result<(), ArchiveError> {
        self.with(|connection| {
            connection.execute(
                "UPDATE games SET white_is_player = ?2, white = ?3, black = ?4, moves = ?5, clocks = ?6, opening = ?7, \
                 result = ?8, reason = ?9, final = ?10 WHERE id = ?1",
                params![
                    id,
                    record.white_is_player,
                    record.white,
                    record.black,
                    record.moves,
                    record.clocks.as_ref().map(json),
                    record.opening,
                    record.result,
                    record.reason,
                    record.last_fen,
                ],
            )?;
            Ok(())
        })
    }

    pub fn get(&self, id: u32) -> Result<Option<ArchivedGame>, ArchiveError> {
        let query = format!("{SELECT} WHERE id = ?1");
        let found = self.with(|connection| connection.query_row(&query, [id], read).optional())?;
        found.transpose()
    }

    /// The latest games whose players, opening, result or date contain the words; and how many there are in all.
    pub fn list(&self, search: &str, most: u32) -> Result<(Vec<ArchivedGame>, u32), ArchiveError> {
        let pattern = format!("%{}%", search.replace(['%', '_'], " ").trim());
        let condition = "WHERE moves <> '' AND (white LIKE ?1 OR black LIKE ?1 OR result LIKE ?1 OR created LIKE ?1 \
                         OR ifnull(opening, '') LIKE ?1)";
        let query = format!("{SELECT} {condition} ORDER BY id DESC LIMIT ?2");
        let count = format!("SELECT count(*) FROM games {condition}");
        let (rows, total) = self.with(|connection| {
            let mut statement = connection.prepare(&query)?;
            let rows =
                statement.query_map(params![pattern, most], read)?.collect::<rusqlite::Result<Vec<_>>>()?;
            let total = connection.query_row(&count, [&pattern], |row| row.get(0))?;
            Ok((rows, total))
        })?;
        Ok((rows.into_iter().collect::<Result<_, _>>()?, total))
    }

    pub fn delete(&self, id: u32) -> Result<(), ArchiveError> {
        self.with(|connection| connection.execute("DELETE FROM games WHERE id = ?1", [id])).map(|_| ())
    }
}

const SELECT: &str = "SELECT id, created, settings, white_is_player, white, black, start, chess960, moves, clocks, \
                      opening, result, reason, final FROM games";

/// A row, or why it cannot be understood.
fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Result<ArchivedGame, ArchiveError>> {
    let id = row.get(0)?;
    let broken = |detail: serde_json::Error| ArchiveError::Broken { id, detail: detail.to_string() };
    let settings: String = row.get(2)?;
    let clocks: Option<String> = row.get(9)?;
    let settings = match serde_json::from_str(&settings) {
        Ok(settings) => settings,
        Err(error) => return Ok(Err(broken(error))),
    };
    let clocks = match clocks.map(|text| serde_json::from_str(&text)).transpose() {
        Ok(clocks) => clocks,
        Err(error) => return Ok(Err(broken(error))),
    };
    let record = GameRecord {
        settings,
        white_is_player: row.get(3)?,
        white: row.get(4)?,
        black: row.get(5)?,
        start: row.get(6)?,
        chess960: row.get(7)?,
        moves: row.get(8)?,
        clocks,
        opening: row.get(10)?,
        result: row.get(11)?,
        reason: row.get(12)?,
        last_fen: row.get(13)?,
    };
    Ok(Ok(ArchivedGame { id, created: row.get(1)?, record }))
}

/// The database, and the files that SQLite puts beside it with the same mode.
fn make_private(path: &Path) -> std::io::Result<()> {
    private_file::secure(path)?;
    for suffix in ["-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        let beside = Path::new(&name);
        if beside.exists() {
            private_file::secure(beside)?;
        }
    }
    Ok(())
}

/// Our own plain structures always have a JSON form.
fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
