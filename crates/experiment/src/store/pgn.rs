//! Games as PGN, with what the engines said as comments: score, depth and time, as other match runners write them.

use std::fmt::Write as _;

use chess::{Color, Position};

use super::database::{Store, StoreError};
use super::games::StoredGame;

/// Where lines of moves are broken.
const WIDTH: usize = 80;

impl Store {
    /// All games whose moves are here, in the order of the schedule.
    pub fn export_pgn(&self) -> Result<String, StoreError> {
        let name = self.description()?.name;
        let mut text = String::new();
        for game in self.games()?.into_iter().filter(StoredGame::has_moves) {
            let written = write_game(&game, &name).map_err(|reason| {
                self.broken(format!("game {} cannot be replayed: {reason}", game.number))
            })?;
            text.push_str(&written);
        }
        Ok(text)
    }
}

fn write_game(game: &StoredGame, event: &str) -> Result<String, String> {
    let replay = game.replay()?;
    let date = game.recorded.get(..10).unwrap_or("????-??-??").replace('-', ".");
    let round = (game.pair + 1).to_string();
    let mut tags = vec![
        ("Event", event.to_owned()),
        ("Site", "Tabiya lab".to_owned()),
        ("Date", date),
        ("Round", round),
        ("White", game.white.clone()),
        ("Black", game.black.clone()),
        ("Result", game.result.as_str().to_owned()),
    ];
    if *replay.start() != Position::default() {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", game.start.clone()));
    }
    tags.push(("PlyCount", replay.moves().len().to_string()));
    tags.push(("Termination", game.termination.as_str().to_owned()));
    let mut text = String::new();
    for (name, value) in tags {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} {}]", common::quote_tag(&value));
    }
    text.push('\n');
    let mut words = Vec::new();
    for (ply, (position, mv)) in replay.positions().iter().zip(replay.moves()).enumerate() {
        let number = position.fullmove_number();
        if position.turn() == Color::White {
            words.push(format!("{number}."));
        } else if ply == 0 || ply == game.opening_moves.len() {
            words.push(format!("{number}..."));
        }
        words.push(position.san(*mv).as_str().to_owned());
        if let Some(played) = ply.checked_sub(game.opening_moves.len()).and_then(|ply| game.moves.get(ply)) {
            let score = played.info.score.map_or_else(|| "?".to_owned(), |score| score.to_string());
            let depth = played.info.depth.map_or_else(String::new, |depth| format!("/{depth}"));
            words.push(format!("{{{score}{depth}"));
            words.push(format!("{:.3}s}}", played.used.as_secs_f64()));
        }
    }
    let detail: String = game.detail.chars().filter(|letter| !matches!(letter, '{' | '}')).collect();
    words.push(format!("{{{detail}}}"));
    words.push(game.result.as_str().to_owned());
    let mut column = 0;
    for word in words.iter().flat_map(|word| word.split(' ')) {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push_str("\n\n");
    Ok(text)
}
