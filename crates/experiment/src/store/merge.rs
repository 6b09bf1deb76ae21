//! Bringing the shards of one experiment together.

use super::database::{Store, StoreError};

/// Between the values of machines that differ.
const BETWEEN_MACHINES: &str = " | ";

/// What a merge brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    pub games: usize,
    pub rows: usize,
    /// Already there, and equal.
    pub known: usize,
}

impl Store {
    /// Copies games, rows and events of another store of the same experiment, and where it ran. What is already here stays; a
    /// game or row that is here with another content is an error, since one of the two is wrong. Machines may differ: both
    /// are named.
    pub fn merge(&mut self, other: &Self) -> Result<Merged, StoreError> {
        let mut merged = Merged::default();
        let columns = "number, pair, opening, white, black, start, opening_moves, moves, notes, result, termination, \
                       detail, final, duration_ms, recorded";
        let theirs: Vec<Vec<rusqlite::types::Value>> = other
            .query(&format!("SELECT {columns} FROM games ORDER BY number"), |row| {
                (0..15).map(|place| row.get(place)).collect()
            })?;
        let their_rows: Vec<(String, String, String)> = other
            .query("SELECT task, data, recorded FROM rows ORDER BY task", |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?;
        let their_events = other.events()?;
        let their_environment = other.environment()?;
        let path = self.directory.join(super::FILE_NAME);
        let fail = |source| StoreError::Database { path: path.clone(), source };
        let transaction = self.connection.transaction().map_err(fail)?;
        for game in theirs {
            let known: Option<String> = optional(transaction.query_row(
                "SELECT moves FROM games WHERE number = ?1",
                [&game[0]],
                |row| row.get(0),
            ))
            .map_err(fail)?;
            match known {
                Some(moves) if rusqlite::types::Value::Text(moves.clone()) == game[7] => merged.known += 1,
                Some(_) => {
                    let detail =
                        format!("game {:?} differs between the two folders; nothing was merged", game[0]);
                    return Err(StoreError::Broken { path, detail });
                }
                None => {
                    let insert = format!(
                        "INSERT INTO games ({columns}) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15)"
                    );
                    transaction.execute(&insert, rusqlite::params_from_iter(game)).map_err(fail)?;
                    merged.games += 1;
                }
            }
        }
        for (task, data, recorded) in their_rows {
            let insert =
                "INSERT INTO rows (task, data, recorded) VALUES (?1, ?2, ?3) ON CONFLICT (task) DO NOTHING";
            if transaction.execute(insert, (task, data, recorded)).map_err(fail)? == 0 {
                merged.known += 1;
            } else {
                merged.rows += 1;
            }
        }
        for event in their_events {
            let insert = "INSERT INTO events (kind, subject, detail) SELECT ?1, ?2, ?3 WHERE NOT EXISTS \
                          (SELECT 1 FROM events WHERE kind = ?1 AND subject = ?2 AND detail = ?3)";
            transaction.execute(insert, (event.kind, event.subject, event.detail)).map_err(fail)?;
        }
        for (name, value) in their_environment {
            let query = "SELECT value FROM environment WHERE name = ?1";
            let here: Option<String> =
                optional(transaction.query_row(query, [&name], |row| row.get(0))).map_err(fail)?;
            let both = match here {
                Some(here) if here.split(BETWEEN_MACHINES).any(|one| one == value) => continue,
                Some(here) => here + BETWEEN_MACHINES + &value,
                None => value,
            };
            let insert = "INSERT INTO environment (name, value) VALUES (?1, ?2) \
                          ON CONFLICT (name) DO UPDATE SET value = excluded.value";
            transaction.execute(insert, (name, both)).map_err(fail)?;
        }
        transaction.commit().map_err(fail)?;
        Ok(merged)
    }
}

fn optional<T>(result: rusqlite::Result<T>) -> rusqlite::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
        Err(error) => Err(error),
    }
}
