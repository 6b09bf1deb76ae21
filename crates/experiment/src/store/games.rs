//! Games: one row each, complete enough to replay, judge and print them without the run.

use std::collections::BTreeSet;

use chess::{Game, Position};
use serde_json::{Value, json};

use super::database::{Store, StoreError};
use super::import::GameRow;
use match_runner::game::{GameRecord, GameResult, PlayedMove, Termination, coordinates};
use match_runner::schedule::GameTask;
use protocol::client::info::{ReportedScore, SearchInfo};

/// A game as the store knows it.
#[derive(Clone, Debug)]
pub struct StoredGame {
    pub number: u64,
    pub pair: u64,
    pub opening: usize,
    pub white: String,
    pub black: String,
    /// FEN of the start, before the opening's moves.
    pub start: String,
    pub opening_moves: Vec<String>,
    /// Without a move where the game was read from an exported table.
    pub moves: Vec<PlayedMove>,
    /// Plies played after the opening.
    pub plies: usize,
    pub result: GameResult,
    pub termination: Termination,
    pub detail: String,
    /// FEN of the last position.
    pub last: String,
    pub duration_ms: u64,
    /// When it was recorded, UTC.
    pub recorded: String,
}

impl StoredGame {
    /// The game from its start to its end.
    pub fn replay(&self) -> Result<Game, String> {
        if !self.has_moves() {
            return Err("its moves were not kept".to_owned());
        }
        let start = Position::from_fen(&self.start).map_err(|error| error.to_string())?;
        let mut game = Game::new(start);
        let texts = self.opening_moves.iter().chain(self.moves.iter().map(|played| &played.text));
        for text in texts {
            let mv = game.position().parse_uci(text).map_err(|error| error.to_string())?;
            game.play(mv).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    /// Whether the moves are here, and not only their number.
    pub fn has_moves(&self) -> bool {
        self.moves.len() >= self.plies
    }
}

impl Store {
    /// Records a finished game. The number is unique: the same game cannot be counted twice.
    pub fn record_game(
        &self,
        task: &GameTask,
        opening: usize,
        (white, black): (&str, &str),
        record: &GameRecord,
    ) -> Result<(), StoreError> {
        let all = coordinates(&record.game, false);
        let opening_plies = all.len() - record.moves.len();
        let moves: Vec<&str> = record.moves.iter().map(|played| played.text.as_str()).collect();
        let notes: Vec<Value> = record.moves.iter().map(note).collect();
        let insert = "INSERT INTO games (number, pair, opening, white, black, start, opening_moves, moves, notes, result, \
                      termination, detail, final, duration_ms) \
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
        let inserted = self.connection.execute(
            insert,
            rusqlite::params![
                task.number as i64,
                task.pair as i64,
                opening as i64,
                white,
                black,
                record.game.start().to_fen(),
                all[..opening_plies].join(" "),
                moves.join(" "),
                Value::Array(notes).to_string(),
                record.result.as_str(),
                record.termination.as_str(),
                record.detail,
                record.game.position().to_fen(),
                record.duration.as_millis() as i64,
            ],
        );
        inserted.map(|_| ()).map_err(|error| self.error(error))
    }

    /// Records a game of an exported table, which has no moves.
    pub(super) fn record_game_row(&self, game: &GameRow) -> Result<(), StoreError> {
        let insert = "INSERT INTO games (number, pair, opening, white, black, start, opening_moves, moves, notes, result, \
                      termination, detail, final, duration_ms) \
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, '', '', ?7, ?8, ?9, ?10, ?11, ?12)";
        let inserted = self.connection.execute(
            insert,
            rusqlite::params![
                game.number,
                game.pair,
                game.opening,
                game.white,
                game.black,
                game.start,
                json!({ "plies": game.plies }).to_string(),
                game.result.as_str(),
                game.termination.as_str(),
                game.detail,
                game.last,
                game.duration_ms,
            ],
        );
        inserted.map(|_| ()).map_err(|error| self.error(error))
    }

    /// Numbers of the games already played.
    pub fn game_numbers(&self) -> Result<BTreeSet<u64>, StoreError> {
        let numbers = self.query("SELECT number FROM games", |row| row.get::<_, i64>(0))?;
        Ok(numbers.into_iter().map(|number| number as u64).collect())
    }

    /// All games in the order of the schedule.
    pub fn games(&self) -> Result<Vec<StoredGame>, StoreError> {
        let query = "SELECT number, pair, opening, white, black, start, opening_moves, moves, notes, result, termination, \
                     detail, final, duration_ms, recorded FROM games ORDER BY number";
        let raw = self.query(query, |row| {
            let text = |place: usize| row.get::<_, String>(place);
            let number = |place: usize| row.get::<_, i64>(place);
            let game = StoredGame {
                number: number(0)? as u64,
                pair: number(1)? as u64,
                opening: number(2)? as usize,
                white: text(3)?,
                black: text(4)?,
                start: text(5)?,
                opening_moves: text(6)?.split_whitespace().map(str::to_owned).collect(),
                moves: Vec::new(),
                plies: 0,
                result: GameResult::Draw,
                termination: Termination::Checkmate,
                detail: text(11)?,
                last: text(12)?,
                duration_ms: number(13)? as u64,
                recorded: text(14)?,
            };
            Ok((game, text(7)?, text(8)?, text(9)?, text(10)?))
        })?;
        raw.into_iter()
            .map(|(mut game, moves, notes, result, termination)| {
                let broken = |what: &str| self.broken(format!("game {}: {what} cannot be read", game.number));
                game.result = GameResult::parse(&result).ok_or_else(|| broken("the result"))?;
                game.termination =
                    Termination::parse(&termination).ok_or_else(|| broken("the termination"))?;
                let notes: Value = serde_json::from_str(&notes).map_err(|_| broken("the notes"))?;
                game.moves = moves
                    .split_whitespace()
                    .enumerate()
                    .map(|(place, text)| read_note(text, notes.get(place).unwrap_or(&Value::Null)))
                    .collect();
                // A game of an exported table has its length in place of the moves' notes.
                game.plies = notes["plies"].as_u64().map_or(game.moves.len(), |plies| plies as usize);
                Ok(game)
            })
            .collect()
    }
}

/// One move's numbers, short because there are many: score, depth, selective depth, nodes, microseconds, table hits.
fn note(played: &PlayedMove) -> Value {
    let info = &played.info;
    let score = match info.score {
        Some(ReportedScore::Centipawns(centipawns)) => json!(centipawns),
        Some(ReportedScore::Mate(moves)) => json!(format!("M{moves}")),
        None => Value::Null,
    };
    json!([
        score,
        info.depth,
        info.selective_depth,
        info.nodes,
        played.used.as_micros() as u64,
        info.table_base_hits
    ])
}

fn read_note(text: &str, note: &Value) -> PlayedMove {
    let score = match &note[0] {
        Value::String(mate) => mate.trim_start_matches('M').parse().ok().map(ReportedScore::Mate),
        other => other.as_i64().map(|centipawns| ReportedScore::Centipawns(centipawns as i32)),
    };
    let small = |place: usize| note[place].as_u64().map(|number| number as u32);
    let info = SearchInfo {
        score,
        depth: small(1),
        selective_depth: small(2),
        nodes: note[3].as_u64(),
        table_base_hits: note[5].as_u64(),
    };
    PlayedMove {
        text: text.to_owned(),
        info,
        used: std::time::Duration::from_micros(note[4].as_u64().unwrap_or(0)),
    }
}
