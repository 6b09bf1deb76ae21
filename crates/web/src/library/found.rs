//! What does not depend on where the library is kept: reading files of games, filtering and summing up.

use super::game::Facts;
use super::progress::Reviewed;
use crate::describe;
use crate::import::{READING, opened};
use crate::limits;
use crate::messages::{Line, OpenedGame, OwnFilter, OwnGame, OwnGames, OwnImport};
use crate::openings::Openings;
use crate::problem::Problem;
use chess::pgn::PgnReader;
use std::collections::HashMap;
use std::io::Read;

/// Games that are listed at once.
const LISTED: usize = 200;

/// A game to be reviewed: its number, its PGN, and the player's side.
pub struct Waiting {
    pub id: u32,
    pub pgn: String,
    pub player_is_white: bool,
}

pub struct Found {
    pub game: OwnGame,
    /// Half points of the player, where a side is the player and the game is finished.
    score: Option<u32>,
    pub review: Option<Reviewed>,
    /// The key of the position that followed the one asked for.
    pub next: Option<u64>,
}

/// Whether the player has White, if one side is the player.
pub fn player_side(names: &[String], white: &str, black: &str) -> Option<bool> {
    let is_player = |name: &str| names.iter().any(|own| own.eq_ignore_ascii_case(name));
    match (is_player(white), is_player(black)) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

impl Found {
    /// Adds what follows from the player's names.
    pub fn new(game: OwnGame, review: Option<Reviewed>, next: Option<u64>, names: &[String]) -> Found {
        let player = player_side(names, &game.white, &game.black);
        let score = match (game.result.as_str(), player) {
            ("1-0", Some(is_white)) => Some(2 * u32::from(is_white)),
            ("0-1", Some(is_white)) => Some(2 * u32::from(!is_white)),
            ("1/2-1/2", Some(_)) => Some(1),
            _ => None,
        };
        let accuracy = review.as_ref().and_then(|review| review.accuracy);
        Found { game: OwnGame { player_is_white: player, accuracy, ..game }, score, review, next }
    }

    /// How the game went on, and the player's half points.
    pub fn continuation(&self) -> Option<(u64, u32)> {
        Some((self.next?, self.score?))
    }

    pub fn passes(&self, filter: &OwnFilter) -> bool {
        let game = &self.game;
        let has = |text: &str, words: &str| text.to_lowercase().contains(&words.to_lowercase());
        let words = filter.words.trim();
        let told = [&game.white, &game.black, &game.event, &game.date];
        let opening = game.opening.as_deref().unwrap_or("");
        (words.is_empty() || told.iter().any(|text| has(text, words)) || has(opening, words))
            && (filter.opening.trim().is_empty() || has(opening, filter.opening.trim()))
            && filter.white.is_none_or(|white| game.player_is_white == Some(white))
            && filter.half_points.is_none_or(|half| self.score == Some(half))
            && filter.speed.as_ref().is_none_or(|speed| *speed == game.speed)
            && filter.from.as_ref().is_none_or(|from| game.date >= *from)
            && filter.to.as_ref().is_none_or(|to| game.date <= *to)
    }
}

/// The games that are listed, and sums over all of them.
pub fn listed(rows: Vec<Found>, all: u32, names: Vec<String>) -> OwnGames {
    let mut answer = OwnGames { total: rows.len() as u32, all, names, ..OwnGames::default() };
    for row in &rows {
        match row.score {
            Some(2) => answer.wins += 1,
            Some(1) => answer.draws += 1,
            Some(0) => answer.losses += 1,
            _ => {}
        }
    }
    answer.games = rows.into_iter().take(LISTED).map(|row| row.game).collect();
    answer
}

/// The key of the position that a filter asks for.
pub fn position_key(filter: &OwnFilter) -> Result<Option<[u8; 8]>, Problem> {
    let Some(fen) = &filter.position else { return Ok(None) };
    let line = Line { start: Some(fen.clone()), moves: Vec::new() };
    Ok(Some(describe::game(&line)?.position().key().to_le_bytes()))
}

/// A game of the library for the analysis board.
pub fn open_text(pgn: Option<&str>, openings: &Openings) -> Result<OpenedGame, Problem> {
    const NEXT: &str = "Reload the list of games.";
    let pgn = pgn.ok_or_else(|| Problem::new("There is no such game.", NEXT))?;
    match PgnReader::with_limits(pgn.as_bytes(), READING).next() {
        Some(Ok(game)) => Ok(opened(&game, openings)),
        _ => Err(Problem::new("This game cannot be read.", NEXT)),
    }
}

/// Gives the games of a file to `insert`, which answers whether a game was new. Games that cannot be read are counted.
pub fn read_games(
    input: impl Read,
    openings: &Openings,
    mut insert: impl FnMut(&Facts, &str) -> Result<bool, Problem>,
) -> Result<OwnImport, Problem> {
    let mut answer = OwnImport { added: 0, known: 0, unreadable: 0, players: Vec::new() };
    // Sites write a name in one way or another: by its small letters, with the first spelling.
    let mut players: HashMap<String, (String, u32)> = HashMap::new();
    for game in PgnReader::with_limits(input, READING) {
        if answer.added as usize == limits::OWN_GAMES {
            break;
        }
        let Some(pgn) = game.ok().filter(|pgn| pgn.moves().next().is_some()) else {
            answer.unreadable += 1;
            continue;
        };
        let facts = Facts::of(&pgn, &pgn.to_game(), openings);
        for name in [&facts.white, &facts.black] {
            players.entry(name.to_lowercase()).or_insert_with(|| (name.clone(), 0)).1 += 1;
        }
        if insert(&facts, &pgn.to_string())? { answer.added += 1 } else { answer.known += 1 }
    }
    if answer.added + answer.known == 0 {
        return Err(Problem::new(
            "There is no game in this file.",
            "Choose a PGN file, as Lichess and chess.com export it.",
        ));
    }
    let mut players: Vec<(String, u32)> = players.into_values().filter(|(name, _)| name != "?").collect();
    players.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
    answer.players = players.into_iter().take(5).map(|(name, _)| name).collect();
    Ok(answer)
}
