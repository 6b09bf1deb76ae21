//! Rows of measurements: a task's name and what was measured, as JSON.

use rusqlite::OptionalExtension;
use serde_json::{Map, Value};

use super::database::{Store, StoreError};

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What was measured, unique within the experiment, as in `lazy/2/position 7/run 3`.
    pub task: String,
    pub data: Map<String, Value>,
}

impl Row {
    /// A number by name.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.data.get(name).and_then(Value::as_f64)
    }

    /// A word by name.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.data.get(name).and_then(Value::as_str)
    }
}

impl Store {
    /// Records a row; a task that is already there is refused, never overwritten.
    pub fn record_row(&self, row: &Row) -> Result<(), StoreError> {
        let data = Value::Object(row.data.clone()).to_string();
        let inserted =
            self.connection.execute("INSERT INTO rows (task, data) VALUES (?1, ?2)", (&row.task, data));
        inserted.map(|_| ()).map_err(|error| self.error(error))
    }

    /// Whether a task was measured.
    pub fn has_row(&self, task: &str) -> Result<bool, StoreError> {
        let found: Option<i64> = self
            .connection
            .query_row("SELECT 1 FROM rows WHERE task = ?1", [task], |row| row.get(0))
            .optional()
            .map_err(|error| self.error(error))?;
        Ok(found.is_some())
    }

    /// All rows, in the order of their tasks.
    pub fn rows(&self) -> Result<Vec<Row>, StoreError> {
        let raw: Vec<(String, String)> =
            self.query("SELECT task, data FROM rows ORDER BY task", |row| Ok((row.get(0)?, row.get(1)?)))?;
        raw.into_iter()
            .map(|(task, data)| match serde_json::from_str(&data) {
                Ok(Value::Object(data)) => Ok(Row { task, data }),
                _ => Err(self.broken(format!("row '{task}' cannot be read"))),
            })
            .collect()
    }
}
