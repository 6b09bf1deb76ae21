//! The experiment as plain files: CSV and JSON for programs, EPD for positions.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::csv::write_line;
use super::database::{Store, StoreError};
use super::import::ABOUT;

impl Store {
    /// Games or, when there are none, rows, as comma-separated values with a header. The line before it says what the
    /// experiment was, so that [`Store::import_csv`] can draw its report again.
    pub fn export_csv(&self) -> Result<String, StoreError> {
        let games = self.games()?;
        if !games.is_empty() {
            let mut text = self.about_line(&BTreeSet::new())?;
            text.push_str(
                "number,pair,opening,white,black,result,termination,plies,opening_plies,duration_ms,start,final,detail\n",
            );
            for game in &games {
                let plies = (game.opening_moves.len() + game.plies).to_string();
                let fields = [
                    &game.number.to_string(),
                    &game.pair.to_string(),
                    &game.opening.to_string(),
                    &game.white,
                    &game.black,
                    game.result.as_str(),
                    game.termination.as_str(),
                    &plies,
                    &game.opening_moves.len().to_string(),
                    &game.duration_ms.to_string(),
                    &game.start,
                    &game.last,
                    &game.detail,
                ];
                write_line(&mut text, fields.into_iter());
            }
            return Ok(text);
        }
        let rows = self.rows()?;
        let names: BTreeSet<&String> = rows.iter().flat_map(|row| row.data.keys()).collect();
        let texts = rows.iter().flat_map(|row| &row.data).filter(|(_, value)| value.is_string());
        let mut text = self.about_line(&texts.map(|(name, _)| name.as_str()).collect())?;
        write_line(&mut text, std::iter::once("task").chain(names.iter().map(|name| name.as_str())));
        for row in &rows {
            let words: Vec<String> = names.iter().map(|name| word(row.data.get(*name))).collect();
            write_line(&mut text, std::iter::once(row.task.as_str()).chain(words.iter().map(String::as_str)));
        }
        Ok(text)
    }

    /// What the experiment is, where it ran and which columns hold text, on one line.
    fn about_line(&self, text_columns: &BTreeSet<&str>) -> Result<String, StoreError> {
        let mut about = self.about()?;
        about.insert("text_columns".to_owned(), json!(text_columns));
        Ok(format!("{ABOUT}{}\n", Value::Object(about)))
    }

    fn about(&self) -> Result<Map<String, Value>, StoreError> {
        let description = self.description()?;
        let configuration: Value = serde_json::from_str(&description.spec.to_json()).unwrap_or(Value::Null);
        let environment: Map<String, Value> =
            self.environment()?.into_iter().map(|(name, value)| (name, Value::String(value))).collect();
        let events: Vec<Value> = self
            .events()?
            .into_iter()
            .map(|event| json!({ "kind": event.kind, "subject": event.subject, "detail": event.detail }))
            .collect();
        Ok(Map::from_iter([
            ("kind".to_owned(), json!(description.kind)),
            ("name".to_owned(), json!(description.name)),
            ("created".to_owned(), json!(description.created)),
            ("configuration".to_owned(), configuration),
            ("environment".to_owned(), json!(environment)),
            ("events".to_owned(), json!(events)),
        ]))
    }

    /// Everything, as one JSON document.
    pub fn export_json(&self) -> Result<String, StoreError> {
        let mut document = self.about()?;
        let rows: Vec<Value> = self
            .rows()?
            .into_iter()
            .map(|row| {
                let mut data = row.data;
                data.insert("task".to_owned(), Value::String(row.task));
                Value::Object(data)
            })
            .collect();
        let games: Vec<Value> = self
            .games()?
            .iter()
            .map(|game| {
                json!({
                    "number": game.number, "pair": game.pair, "opening": game.opening,
                    "white": game.white, "black": game.black, "start": game.start,
                    "opening_moves": game.opening_moves,
                    "moves": game.moves.iter().map(|played| played.text.as_str()).collect::<Vec<_>>(),
                    "scores": game.moves.iter().map(|played| played.info.score.map(|s| s.to_string()))
                        .collect::<Vec<_>>(),
                    "depths": game.moves.iter().map(|played| played.info.depth).collect::<Vec<_>>(),
                    "nodes": game.moves.iter().map(|played| played.info.nodes).collect::<Vec<_>>(),
                    "milliseconds": game.moves.iter().map(|played| played.used.as_secs_f64() * 1000.0)
                        .collect::<Vec<_>>(),
                    "result": game.result.as_str(), "termination": game.termination.as_str(),
                    "detail": game.detail, "final": game.last, "duration_ms": game.duration_ms,
                    "recorded": game.recorded,
                })
            })
            .collect();
        document.insert("rows".to_owned(), json!(rows));
        document.insert("games".to_owned(), json!(games));
        serde_json::to_string_pretty(&document).map_err(|error| self.broken(error.to_string()))
    }

    /// The final position of every game, with its number and result.
    pub fn export_epd(&self) -> Result<String, StoreError> {
        let mut text = String::new();
        for game in self.games()? {
            let position: Vec<&str> = game.last.split_whitespace().take(4).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{} id \"game {}\"; c0 \"{} - {}\"; c1 \"{}\"; c2 \"{}\";",
                position.join(" "),
                game.number + 1,
                game.white,
                game.black,
                game.result.as_str(),
                game.termination.as_str()
            );
        }
        Ok(text)
    }
}

fn word(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}
