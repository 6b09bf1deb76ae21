//! Names of openings by position, so that transpositions are known too.
//!
//! The names are those of lichess-org/chess-openings (CC0), in `data/openings.tsv`.

use chess::Position;
use std::collections::HashMap;
use std::sync::OnceLock;

static TEXT: &str = include_str!("../data/openings.tsv");

/// Filled on first use: a board that never asks need not wait.
#[derive(Default)]
pub struct Openings(OnceLock<HashMap<u64, String>>);

impl Openings {
    pub fn embedded() -> Openings {
        Openings::default()
    }

    /// Code and name, `C60 Ruy Lopez`.
    pub fn name(&self, position: &Position) -> Option<&str> {
        // No named opening has that few pieces, and none begins a game.
        if position.ply() == 0 {
            return None;
        }
        self.0.get_or_init(read).get(&position.key()).map(String::as_str)
    }

    /// The last name among the positions of a game.
    pub fn last_name<'a>(&'a self, positions: &[Position]) -> Option<&'a str> {
        positions.iter().rev().find_map(|position| self.name(position))
    }
}

fn read() -> HashMap<u64, String> {
    let mut names = HashMap::new();
    for line in TEXT.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let (Some(code), Some(name), Some(moves)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        if let Some(key) = key_after(moves) {
            names.insert(key, format!("{code} {name}"));
        }
    }
    names
}

fn key_after(moves: &str) -> Option<u64> {
    let mut position = Position::default();
    for text in moves.split(' ') {
        let mv = position.parse_san(text).ok()?;
        position.play(mv);
    }
    Some(position.key())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Position {
        let mut position = Position::default();
        for text in moves.split_whitespace() {
            position.play(position.parse_san(text).unwrap());
        }
        position
    }

    #[test]
    fn every_line_of_the_table_is_a_line_of_play() {
        let lines = TEXT.lines().filter(|line| !line.starts_with('#'));
        let bad: Vec<&str> =
            lines.filter(|line| line.split('\t').nth(2).and_then(key_after).is_none()).collect();
        assert!(bad.is_empty(), "{bad:?}");
        assert!(read().len() > 3500);
    }

    #[test]
    fn transpositions_have_their_name() {
        let openings = Openings::embedded();
        let usual = after("d4 Nf6 c4 g6");
        let turned = after("c4 g6 d4 Nf6");
        assert!(openings.name(&usual).is_some());
        assert_eq!(openings.name(&usual), openings.name(&turned));
        assert_eq!(openings.name(&Position::default()), None);
    }
}
