//! The SQLite file of an experiment: opening it, its tables, its description, environment and events.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use crate::spec::Spec;

/// The version of the tables below. Increase it with every change of their meaning.
const SCHEMA_VERSION: i32 = 1;
/// Marks our files among all SQLite files: "TbLb".
const APPLICATION_ID: i32 = 0x5462_4c62;
/// The file's name in the experiment's folder.
pub const FILE_NAME: &str = "lab.sqlite";

const SCHEMA: &str = "
CREATE TABLE experiment (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    configuration TEXT NOT NULL,
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
);
CREATE TABLE environment (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE rows (
    task TEXT PRIMARY KEY,
    data TEXT NOT NULL,
    recorded TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
);
CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    pair INTEGER NOT NULL,
    opening INTEGER NOT NULL,
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    start TEXT NOT NULL,
    opening_moves TEXT NOT NULL,
    moves TEXT NOT NULL,
    notes TEXT NOT NULL,
    result TEXT NOT NULL,
    termination TEXT NOT NULL,
    detail TEXT NOT NULL,
    final TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    recorded TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
);
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    recorded TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
);
";

/// Why the store cannot do what it was asked.
#[derive(Debug)]
pub enum StoreError {
    /// The file system or SQLite said no; a full disk arrives here.
    Database { path: PathBuf, source: rusqlite::Error },
    /// A newer program wrote the file.
    Newer { path: PathBuf, found: i32 },
    /// The file is no experiment of ours.
    Foreign { path: PathBuf },
    /// There is no experiment in the folder.
    Missing { path: PathBuf },
    /// The folder holds another experiment.
    Different { path: PathBuf, names: Vec<String> },
    /// Another process is running this experiment.
    Busy { path: PathBuf },
    /// A value in the file cannot be read back.
    Broken { path: PathBuf, detail: String },
    /// The folder cannot be made.
    Folder { path: PathBuf, source: std::io::Error },
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Database { path, source } => {
                let full = source.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull);
                let advice =
                    if full { " (everything recorded so far is safe; make room and resume)" } else { "" };
                write!(f, "{}: {source}{advice}", path.display())
            }
            Self::Newer { path, found } => write!(
                f,
                "{}: written by a newer version (format {found}, this program reads up to {SCHEMA_VERSION}); \
                 update tabiya to open it",
                path.display()
            ),
            Self::Foreign { path } => write!(f, "{}: not an experiment of this laboratory", path.display()),
            Self::Missing { path } => write!(f, "{}: no experiment here (no {FILE_NAME})", path.display()),
            Self::Different { path, names } => write!(
                f,
                "{}: holds another experiment, which differs in {}; choose another folder with --out",
                path.display(),
                names.join(", ")
            ),
            Self::Busy { path } => {
                write!(f, "{}: another process is running this experiment", path.display())
            }
            Self::Broken { path, detail } => write!(f, "{}: {detail}", path.display()),
            Self::Folder { path, source } => write!(f, "{}: {source}", path.display()),
        }
    }
}

impl std::error::Error for StoreError {}

/// What an experiment is, as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    pub kind: String,
    pub name: String,
    pub spec: Spec,
    pub created: String,
}

/// Something worth telling that is no row: a restart, a fault, an interruption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub kind: String,
    pub subject: String,
    pub detail: String,
}

/// An open experiment.
#[derive(Debug)]
pub struct Store {
    pub(super) connection: Connection,
    pub(super) directory: PathBuf,
    /// Held open while this process is the one that runs the experiment.
    lock: Option<Connection>,
}

impl Store {
    /// Opens the experiment in a folder, making both if missing. `kinds` has the kind's name and then its earlier names,
    /// which a store may still carry. `volatile` names parts of the description that may
    /// change between runs, such as the number of games wanted; all else must be the same.
    pub fn open_or_create(
        directory: &Path,
        kinds: &[&str],
        name: &str,
        spec: &Spec,
        volatile: &[&str],
    ) -> Result<Self, StoreError> {
        std::fs::create_dir_all(directory)
            .map_err(|source| StoreError::Folder { path: directory.to_owned(), source })?;
        let mut store =
            Self::connect(directory, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        store.lock_for_running()?;
        store.check_or_make_schema(true)?;
        match store.description_if_any()? {
            None => {
                let insert = "INSERT INTO experiment (id, kind, name, configuration) VALUES (1, ?1, ?2, ?3)";
                let inserted = store.connection.execute(insert, (kinds.first(), name, spec.to_json()));
                inserted.map_err(|error| store.error(error))?;
            }
            Some(found) => {
                let mut names = Vec::new();
                if !kinds.contains(&found.kind.as_str()) {
                    names.push("kind".to_owned());
                }
                let (mut theirs, mut ours) = (found.spec, spec.clone());
                for name in volatile {
                    theirs.remove(name);
                    ours.remove(name);
                }
                names.extend(theirs.differences(&ours));
                if !names.is_empty() {
                    return Err(StoreError::Different { path: directory.to_owned(), names });
                }
                let update = "UPDATE experiment SET configuration = ?1 WHERE id = 1";
                let updated = store.connection.execute(update, [spec.to_json()]);
                updated.map_err(|error| store.error(error))?;
            }
        }
        Ok(store)
    }

    /// Opens an experiment to read it; it may be running elsewhere.
    pub fn open(directory: &Path) -> Result<Self, StoreError> {
        if !directory.join(FILE_NAME).is_file() {
            return Err(StoreError::Missing { path: directory.to_owned() });
        }
        let store = Self::connect(directory, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        store.check_or_make_schema(false)?;
        Ok(store)
    }

    fn connect(directory: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let path = directory.join(FILE_NAME);
        let connection = Connection::open_with_flags(&path, flags)
            .map_err(|source| StoreError::Database { path, source })?;
        Ok(Self { connection, directory: directory.to_owned(), lock: None })
    }

    /// One runner at a time: an exclusive lock on a small file, which the system drops with the process however it ends.
    fn lock_for_running(&mut self) -> Result<(), StoreError> {
        let path = self.directory.join("running.lock");
        let lock = Connection::open(&path).map_err(|source| StoreError::Database { path, source })?;
        let locked = lock.busy_timeout(Duration::ZERO).and_then(|()| lock.execute_batch("BEGIN EXCLUSIVE"));
        match locked {
            Ok(()) => {
                self.lock = Some(lock);
                Ok(())
            }
            Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => {
                Err(StoreError::Busy { path: self.directory.clone() })
            }
            Err(error) => Err(self.error(error)),
        }
    }

    fn check_or_make_schema(&self, create: bool) -> Result<(), StoreError> {
        let fail = |error| match self.error(error) {
            StoreError::Database { path, source }
                if source.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) =>
            {
                StoreError::Foreign { path }
            }
            other => other,
        };
        let pragma = |name: &str| self.connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let version = pragma("user_version").map_err(fail)?;
        let application = pragma("application_id").map_err(fail)?;
        let empty: bool = self
            .connection
            .query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))
            .map_err(fail)?;
        let path = || self.directory.join(FILE_NAME);
        if empty && create {
            // Readers may look while we write, and every commit reaches the disk before the next game starts.
            let setup = format!(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE; {SCHEMA} \
                 PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
            );
            return self.connection.execute_batch(&setup).map_err(fail);
        }
        if application != APPLICATION_ID {
            return Err(StoreError::Foreign { path: path() });
        }
        if version > SCHEMA_VERSION {
            return Err(StoreError::Newer { path: path(), found: version });
        }
        let setup = self.connection.execute_batch("PRAGMA synchronous = FULL");
        setup.and_then(|()| self.connection.busy_timeout(Duration::from_secs(10))).map_err(fail)
    }

    /// The folder the experiment lives in.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What this experiment is.
    pub fn description(&self) -> Result<Description, StoreError> {
        self.description_if_any()?.ok_or_else(|| StoreError::Missing { path: self.directory.clone() })
    }

    fn description_if_any(&self) -> Result<Option<Description>, StoreError> {
        let query = "SELECT kind, name, configuration, created FROM experiment WHERE id = 1";
        let found: Option<(String, String, String, String)> = self
            .connection
            .query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
            .optional()
            .map_err(|error| self.error(error))?;
        found
            .map(|(kind, name, configuration, created)| {
                let spec = Spec::from_json(&configuration)
                    .map_err(|detail| self.broken(format!("the configuration cannot be read: {detail}")))?;
                Ok(Description { kind, name, spec, created })
            })
            .transpose()
    }

    /// Says when an experiment that is read from a table was begun.
    pub(super) fn set_created(&self, created: &str) -> Result<(), StoreError> {
        let updated = self.connection.execute("UPDATE experiment SET created = ?1 WHERE id = 1", [created]);
        updated.map(|_| ()).map_err(|error| self.error(error))
    }

    pub(super) fn batch(&self, text: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(text).map_err(|error| self.error(error))
    }

    /// Notes a fact about where the experiment runs; the first note stays, so that a resumed run shows a change.
    pub fn note_environment(&self, name: &str, value: &str) -> Result<Option<String>, StoreError> {
        let known: Option<String> = self
            .connection
            .query_row("SELECT value FROM environment WHERE name = ?1", [name], |row| row.get(0))
            .optional()
            .map_err(|error| self.error(error))?;
        if known.is_none() {
            self.connection
                .execute("INSERT INTO environment (name, value) VALUES (?1, ?2)", (name, value))
                .map_err(|error| self.error(error))?;
        }
        Ok(known)
    }

    /// Everything noted, by name.
    pub fn environment(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.query("SELECT name, value FROM environment ORDER BY name", |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Records an event.
    pub fn record_event(&self, event: &Event) -> Result<(), StoreError> {
        let insert = "INSERT INTO events (kind, subject, detail) VALUES (?1, ?2, ?3)";
        let inserted = self.connection.execute(insert, (&event.kind, &event.subject, &event.detail));
        inserted.map(|_| ()).map_err(|error| self.error(error))
    }

    /// All events, oldest first.
    pub fn events(&self) -> Result<Vec<Event>, StoreError> {
        self.query("SELECT kind, subject, detail FROM events ORDER BY id", |row| {
            Ok(Event { kind: row.get(0)?, subject: row.get(1)?, detail: row.get(2)? })
        })
    }

    pub(super) fn query<T>(
        &self,
        text: &str,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = || {
            let mut statement = self.connection.prepare(text)?;
            statement.query_map([], read)?.collect::<rusqlite::Result<Vec<T>>>()
        };
        rows().map_err(|error| self.error(error))
    }

    pub(super) fn error(&self, source: rusqlite::Error) -> StoreError {
        StoreError::Database { path: self.directory.join(FILE_NAME), source }
    }

    pub(super) fn broken(&self, detail: String) -> StoreError {
        StoreError::Broken { path: self.directory.join(FILE_NAME), detail }
    }
}
