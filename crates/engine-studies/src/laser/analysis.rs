//! From rows to lines of tables: positions summed, repetitions by their median.

use std::collections::BTreeMap;

use experiment::store::Row;
use stats::score::{Outcome, Pairs};
use stats::summary::median;

/// A setting over all positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub version: String,
    pub way: String,
    pub workers: usize,
    pub is_virtual: bool,
    /// `None` as released.
    pub locked: Option<bool>,
    pub to_depth: bool,
    /// Positions entered and moves tried, summed over the bench positions.
    pub nodes: f64,
    pub tried: f64,
    /// Seconds, likewise.
    pub seconds: f64,
    /// The mean over positions.
    pub depth: f64,
}

impl Line {
    /// Positions entered a second.
    pub fn rate(&self) -> f64 {
        self.nodes / self.seconds.max(1e-9)
    }

    /// Moves tried a second, which is what the course's players call nodes.
    pub fn tried_rate(&self) -> f64 {
        self.tried / self.seconds.max(1e-9)
    }
}

/// The lines of a part of the study. Positions that not every setting of the part has searched yet are left out of all, so that lines
/// can be compared at any time.
pub fn lines(rows: &[Row], part: &str) -> Vec<Line> {
    let own: Vec<&Row> = rows.iter().filter(|row| row.text("part") == Some(part)).collect();
    let mut settings: Vec<&str> = Vec::new();
    let mut groups: BTreeMap<(&str, u64), Vec<&Row>> = BTreeMap::new();
    for row in &own {
        let (Some(setting), Some(position)) = (row.text("setting"), row.number("position")) else { continue };
        if !settings.contains(&setting) {
            settings.push(setting);
        }
        groups.entry((setting, position as u64)).or_default().push(row);
    }
    let positions: std::collections::BTreeSet<u64> = groups.keys().map(|(_, position)| *position).collect();
    let shared: Vec<u64> = positions
        .into_iter()
        .filter(|position| settings.iter().all(|setting| groups.contains_key(&(*setting, *position))))
        .collect();
    let mut lines = Vec::new();
    for setting in settings {
        let middle = |name: &str| -> Vec<f64> {
            shared
                .iter()
                .filter_map(|position| {
                    let values: Vec<f64> = groups
                        .get(&(setting, *position))?
                        .iter()
                        .filter_map(|row| row.number(name))
                        .collect();
                    median(&values)
                })
                .collect()
        };
        let Some(first) = own.iter().find(|row| row.text("setting") == Some(setting)) else { continue };
        let flag = |name: &str| first.data.get(name).and_then(serde_json::Value::as_bool);
        let sum = |name: &str| middle(name).iter().sum::<f64>();
        let depths = middle("depth");
        if depths.is_empty() {
            continue;
        }
        lines.push(Line {
            version: first.text("version").unwrap_or_default().to_owned(),
            way: first.text("way").unwrap_or_default().to_owned(),
            workers: first.number("workers").unwrap_or(1.0) as usize,
            is_virtual: flag("virtual").unwrap_or(false),
            locked: flag("locked"),
            to_depth: flag("to_depth").unwrap_or(true),
            nodes: sum("nodes"),
            tried: sum("tried"),
            seconds: sum("time_ns") / 1e9,
            depth: depths.iter().sum::<f64>() / depths.len() as f64,
        });
    }
    lines
}

/// Games with the book against games without.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BookGames {
    pub pairs: Pairs,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub book_moves: f64,
    pub moves_with: f64,
    pub moves_without: f64,
    pub nodes_with: f64,
    pub nodes_without: f64,
    pub entries: f64,
}

/// Sums the games with a book.
pub fn book_games(rows: &[Row]) -> BookGames {
    let outcome = |points: f64| match points {
        1.0 => Outcome::Win,
        0.0 => Outcome::Loss,
        _ => Outcome::Draw,
    };
    let mut games = BookGames::default();
    for row in rows.iter().filter(|row| row.text("part") == Some("book")) {
        let (Some(first), Some(second)) = (row.number("first"), row.number("second")) else { continue };
        games.pairs.add(outcome(first), outcome(second));
        for points in [first, second] {
            match outcome(points) {
                Outcome::Win => games.wins += 1,
                Outcome::Draw => games.draws += 1,
                Outcome::Loss => games.losses += 1,
            }
        }
        let number = |name: &str| row.number(name).unwrap_or(0.0);
        games.book_moves += number("book_moves");
        games.moves_with += number("moves_with");
        games.moves_without += number("moves_without");
        games.nodes_with += number("nodes_with");
        games.nodes_without += number("nodes_without");
        games.entries += number("entries");
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn row(setting: &str, position: u64, repetition: u64, nodes: u64, nanoseconds: f64) -> Row {
        let data = json!({
            "part": "version", "setting": setting, "version": setting, "way": "lazy", "workers": 1, "virtual": false,
            "locked": null, "to_depth": true, "position": position, "nodes": nodes, "tried": 2 * nodes, "depth": 8,
            "time_ns": nanoseconds,
        });
        let Value::Object(data) = data else { panic!() };
        Row { task: format!("{setting}/{position}/{repetition}"), data }
    }

    #[test]
    fn positions_are_summed_and_repetitions_are_not() {
        let rows = [
            row("a", 1, 1, 100, 1e9),
            row("a", 1, 2, 100, 3e9),
            row("a", 1, 3, 100, 2e9),
            row("a", 2, 1, 50, 1e9),
            row("b", 1, 1, 300, 1e9),
            row("b", 2, 1, 50, 1e9),
            // Not searched by b: it would make a look slower.
            row("a", 3, 1, 900, 9e9),
        ];
        let found = lines(&rows, "version");
        assert_eq!((found[0].nodes, found[0].seconds, found[0].rate()), (150.0, 3.0, 50.0));
        assert_eq!((found[1].nodes, found[1].tried, found[1].depth), (350.0, 700.0, 8.0));
        assert_eq!(found[0].locked, None);
    }

    #[test]
    fn games_with_the_book_are_counted_in_pairs() {
        let data = json!({ "part": "book", "first": 1.0, "second": 0.5, "book_moves": 4, "moves_with": 60 });
        let Value::Object(data) = data else { panic!() };
        let games = book_games(&[Row { task: "book/1".to_owned(), data }]);
        assert_eq!(
            (games.wins, games.draws, games.losses, games.pairs.wd, games.book_moves),
            (1, 1, 0, 1, 4.0)
        );
    }
}
