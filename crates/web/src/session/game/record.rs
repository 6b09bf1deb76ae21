//! A saved game: its row in the list, its moves, its PGN.

use crate::describe;
use crate::game_record::ArchivedGame;
use crate::messages::{GameSummary, Line};
use crate::problem::Problem;
use crate::shared::Shared;
use chess::Game;
use chess::pgn::{GameResult, PgnGame};

pub fn summary(entry: &ArchivedGame) -> GameSummary {
    let record = &entry.record;
    GameSummary {
        id: entry.id,
        date: entry.created.clone(),
        white: record.white.clone(),
        black: record.black.clone(),
        result: record.result.clone(),
        plies: record.moves.split_whitespace().count() as u32,
        opening: record.opening.clone(),
        fen: record.last_fen.clone(),
    }
}

/// The saved game and its moves.
pub fn fetch(id: u32, shared: &Shared) -> Result<(ArchivedGame, Game), Problem> {
    let entry = shared.archive.get(id)?;
    let entry = entry.ok_or_else(|| {
        Problem::new(
            format!("There is no saved game {id}."),
            "Choose another from the list, or start a new one.",
        )
    })?;
    let moves = entry.record.moves.split_whitespace().map(str::to_string).collect();
    let game = describe::game(&Line { start: Some(entry.record.start.clone()), moves })?;
    Ok((entry, game))
}

/// The name of a file and its text.
pub fn export(id: u32, shared: &Shared) -> Result<(String, String), Problem> {
    let (entry, game) = fetch(id, shared)?;
    let record = &entry.record;
    let mut pgn = PgnGame::from_game(&game, record.chess960);
    pgn.tags.set("Event", "Game at the board");
    pgn.tags.set("Site", "Tabiya");
    let date = entry.created.get(..10).unwrap_or("????.??.??").replace('-', ".");
    pgn.tags.set("Date", &date);
    pgn.tags.set("White", &record.white);
    pgn.tags.set("Black", &record.black);
    if let Some((code, name)) = record.opening.as_deref().and_then(|opening| opening.split_once(' ')) {
        pgn.tags.set("ECO", code);
        pgn.tags.set("Opening", name);
    }
    if !record.reason.is_empty() {
        pgn.tags.set("Termination", &record.reason);
    }
    pgn.set_result(GameResult::parse(record.result.as_bytes()).unwrap_or(GameResult::Unknown));
    Ok((format!("tabiya-{id}.pgn"), pgn.to_string()))
}
