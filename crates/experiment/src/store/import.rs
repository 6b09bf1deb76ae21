//! Reads back what `lab export DIR csv` wrote: an exported table becomes an experiment again, and its report can be redrawn.
//! Games come without their moves, which the table does not have.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::csv;
use super::database::{Event, Store, StoreError};
use super::rows::Row;
use crate::spec::Spec;
use match_runner::game::{GameResult, Termination};

/// How the first line of an exported table begins; a description in JSON follows.
pub const ABOUT: &str = "# tabiya-lab ";

/// An exported table, read and not yet stored.
struct Table<'a> {
    /// Where each column is.
    columns: BTreeMap<&'a str, usize>,
    names: &'a [String],
    records: &'a [csv::Record],
}

impl Table<'_> {
    fn field<'r>(&self, record: &'r csv::Record, name: &str) -> Result<&'r str, String> {
        let place = self.columns.get(name).ok_or_else(|| format!("no column '{name}'"))?;
        record.fields.get(*place).map(String::as_str).ok_or_else(|| at(record, "too few fields"))
    }

    fn number(&self, record: &csv::Record, name: &str) -> Result<i64, String> {
        let text = self.field(record, name)?;
        text.parse().map_err(|_| at(record, &format!("{name} '{text}', expected a whole number")))
    }
}

fn at(record: &csv::Record, reason: &str) -> String {
    format!("line {}: {reason}", record.line)
}

impl Store {
    /// Makes a new experiment in a folder from an exported table. Nothing is made when the table cannot be read.
    pub fn import_csv(directory: &Path, text: &str) -> Result<Self, String> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let about = first.strip_prefix(ABOUT).ok_or_else(|| {
            format!(
                "line 1: expected '{}' and a description, as 'lab export DIR csv' writes",
                ABOUT.trim_end()
            )
        })?;
        let about: Value = serde_json::from_str(about).map_err(|error| format!("line 1: {error}"))?;
        let word = |name: &str| about[name].as_str().ok_or_else(|| format!("line 1: no {name}"));
        let (kind, name, created) = (word("kind")?, word("name")?, word("created")?);
        let spec = Spec::from_json(&about["configuration"].to_string())
            .map_err(|error| format!("line 1: configuration: {error}"))?;
        let records = csv::read(rest, 2)?;
        let (header, records) = records.split_first().ok_or("line 2: expected the names of the columns")?;
        let columns = header.fields.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
        let table = Table { columns, names: &header.fields, records };
        let rows = if table.columns.contains_key("task") { read_rows(&table, &about)? } else { Vec::new() };
        let games = if rows.is_empty() { read_games(&table)? } else { Vec::new() };

        let store = Self::open_or_create(directory, &[kind], name, &spec, &[]).map_err(said)?;
        store.fill(created, &about, &rows, &games).map_err(said)?;
        Ok(store)
    }

    /// Everything in one transaction.
    fn fill(&self, created: &str, about: &Value, rows: &[Row], games: &[GameRow]) -> Result<(), StoreError> {
        self.batch("BEGIN IMMEDIATE")?;
        self.set_created(created)?;
        for (name, value) in about["environment"].as_object().into_iter().flatten() {
            self.note_environment(name, value.as_str().unwrap_or_default())?;
        }
        for event in about["events"].as_array().into_iter().flatten() {
            let word = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
            let (kind, subject, detail) = (word("kind"), word("subject"), word("detail"));
            self.record_event(&Event { kind, subject, detail })?;
        }
        for row in rows {
            self.record_row(row)?;
        }
        for game in games {
            self.record_game_row(game)?;
        }
        self.batch("COMMIT")
    }
}

#[allow(clippy::needless_pass_by_value, reason = "a function for map_err")]
fn said(error: StoreError) -> String {
    error.to_string()
}

fn read_rows(table: &Table<'_>, about: &Value) -> Result<Vec<Row>, String> {
    let told = about["text_columns"].as_array();
    let texts: BTreeSet<&str> = match told {
        Some(names) => names.iter().filter_map(Value::as_str).collect(),
        // A table of an earlier version does not say which columns hold text: those with a value that is no number.
        None => (table.columns.iter())
            .filter(|(_, place)| {
                let values = table.records.iter().filter_map(|record| record.fields.get(**place));
                values.filter(|value| !value.is_empty()).any(|value| as_data(value).is_none())
            })
            .map(|(name, _)| *name)
            .collect(),
    };
    (table.records.iter())
        .map(|record| {
            let task = table.field(record, "task")?.to_owned();
            if record.fields.len() != table.names.len() {
                return Err(at(
                    record,
                    &format!("{} fields, expected {}", record.fields.len(), table.names.len()),
                ));
            }
            let mut data = Map::new();
            for (name, value) in table.names.iter().zip(&record.fields) {
                if name == "task" || value.is_empty() {
                    continue;
                }
                let value = match as_data(value).filter(|_| !texts.contains(name.as_str())) {
                    Some(data) => data,
                    None => json!(value),
                };
                data.insert(name.clone(), value);
            }
            Ok(Row { task, data })
        })
        .collect()
}

/// A number, a truth value or a list.
fn as_data(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().filter(|value: &Value| !value.is_string())
}

/// A game of an exported table.
pub(super) struct GameRow {
    pub number: i64,
    pub pair: i64,
    pub opening: i64,
    pub white: String,
    pub black: String,
    pub start: String,
    pub result: GameResult,
    pub termination: Termination,
    pub detail: String,
    pub last: String,
    pub duration_ms: i64,
    /// Plies after the opening.
    pub plies: i64,
}

fn read_games(table: &Table<'_>) -> Result<Vec<GameRow>, String> {
    (table.records.iter())
        .map(|record| {
            let word = |name: &str| table.field(record, name).map(str::to_owned);
            let number = |name: &str| table.number(record, name);
            let (result, termination) = (word("result")?, word("termination")?);
            // Tables of an earlier version counted from the given position only.
            let opening_plies = number("opening_plies").or_else(|reason| {
                if table.columns.contains_key("opening_plies") { Err(reason) } else { Ok(0) }
            })?;
            Ok(GameRow {
                number: number("number")?,
                pair: number("pair")?,
                opening: number("opening")?,
                white: word("white")?,
                black: word("black")?,
                start: word("start")?,
                result: GameResult::parse(&result)
                    .ok_or_else(|| at(record, &format!("result '{result}' is unknown")))?,
                termination: Termination::parse(&termination)
                    .ok_or_else(|| at(record, &format!("termination '{termination}' is unknown")))?,
                detail: word("detail")?,
                last: word("final")?,
                duration_ms: number("duration_ms")?,
                plies: number("plies")? - opening_plies,
            })
        })
        .collect()
}
