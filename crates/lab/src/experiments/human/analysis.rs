//! What the games say: plies to a win, wins, concessions and style of every arm beside plain search.

use std::collections::BTreeMap;

use chess::{Color, Game, Position};
use coach::style::{GameOutcome, score};
use opponent::arena::{Arm, LONGEST};

use experiment::store::Row;
use stats::bootstrap::{Interval, interval};

const ROUNDS: usize = 2000;
const CONFIDENCE: f64 = 0.95;

/// A game of the study, read back.
#[derive(Clone, Debug, PartialEq)]
pub struct Encounter {
    pub arm: Arm,
    pub rating: u16,
    pub opening: u64,
    pub color: String,
    pub points: f64,
    /// To the win; a game without one counts as the longest there is.
    pub plies: f64,
    pub spent: f64,
    outcome: Option<GameOutcome>,
}

impl Encounter {
    /// `None` for a row of something else.
    pub fn read(row: &Row) -> Option<Self> {
        let points = row.number("points")?;
        let color = row.text("color")?.to_owned();
        let plies = if points == 1.0 { row.number("plies")? } else { LONGEST as f64 };
        Some(Self {
            arm: Arm::named(row.text("arm")?).ok()?,
            rating: row.number("rating")? as u16,
            opening: row.number("opening")? as u64,
            points,
            plies,
            spent: row.number("spent")?,
            outcome: outcome(row, points, &color),
            color,
        })
    }
}

fn outcome(row: &Row, points: f64, color: &str) -> Option<GameOutcome> {
    let mut game = Game::new(Position::from_fen(row.text("start")?).ok()?);
    for text in row.text("moves")?.split_whitespace() {
        let mv = game.position().parse_uci(text).ok()?;
        game.play(mv).ok()?;
    }
    let engine = Color::BOTH.into_iter().find(|side| side.to_string() == color)?;
    let winner = if points == 1.0 {
        Some(engine)
    } else if points == 0.0 {
        Some(!engine)
    } else {
        None
    };
    Some(GameOutcome::of(&game, winner, engine))
}

/// An arm beside plain search, over the games both have played.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub arm: Arm,
    pub games: usize,
    pub wins: f64,
    /// Restricted mean: games without a win count as the longest.
    pub plies: f64,
    pub spent: f64,
    /// Plies of the arm over plies of plain search.
    pub ratio: Option<Interval>,
    /// Points a game of the arm less those of plain search.
    pub gain: Option<Interval>,
    /// The arms as the players of one file.
    pub aggressiveness: f64,
}

type Pair<'a> = (&'a Encounter, &'a Encounter);

/// Over all ratings, or one.
pub fn summaries(games: &[Encounter], rating: Option<u16>) -> Vec<Summary> {
    let games: Vec<&Encounter> =
        games.iter().filter(|game| rating.is_none_or(|only| game.rating == only)).collect();
    let key = |game: &Encounter| (game.rating, game.opening, game.color.clone());
    let plain: BTreeMap<_, &Encounter> =
        games.iter().filter(|game| game.arm == Arm::Plain).map(|game| (key(game), *game)).collect();
    let styles = score(games.iter().filter_map(|game| Some((game.arm.name(), game.outcome?))));
    let mut arms: Vec<Arm> = games.iter().map(|game| game.arm).collect();
    arms.sort_unstable();
    arms.dedup();
    let mut found = Vec::new();
    for arm in arms {
        let pairs: Vec<Pair<'_>> = (games.iter().filter(|game| game.arm == arm))
            .filter_map(|game| Some((*game, *plain.get(&key(game))?)))
            .collect();
        if pairs.is_empty() {
            continue;
        }
        // Games from one opening are not independent: openings are resampled, not games.
        let mut openings: BTreeMap<u64, Vec<Pair<'_>>> = BTreeMap::new();
        for pair in &pairs {
            openings.entry(pair.0.opening).or_default().push(*pair);
        }
        let groups: Vec<Vec<Pair<'_>>> = openings.into_values().collect();
        let sum = |groups: &[Vec<Pair<'_>>], value: &dyn Fn(&Pair<'_>) -> f64| -> f64 {
            groups.iter().flatten().map(value).sum()
        };
        let ratio = |groups: &[Vec<Pair<'_>>]| {
            let below = sum(groups, &|pair| pair.1.plies);
            (below > 0.0).then(|| sum(groups, &|pair| pair.0.plies) / below)
        };
        let gain = |groups: &[Vec<Pair<'_>>]| {
            let count = sum(groups, &|_| 1.0);
            (count > 0.0).then(|| sum(groups, &|pair| pair.0.points - pair.1.points) / count)
        };
        let count = pairs.len() as f64;
        let mean =
            |value: &dyn Fn(&Encounter) -> f64| pairs.iter().map(|pair| value(pair.0)).sum::<f64>() / count;
        let style = styles.players.iter().find(|player| player.name == arm.name());
        found.push(Summary {
            arm,
            games: pairs.len(),
            wins: mean(&|game| f64::from(u8::from(game.points == 1.0))),
            plies: mean(&|game| game.plies),
            spent: mean(&|game| game.spent),
            ratio: interval(&groups, ROUNDS, CONFIDENCE, 1, |sample| ratio(sample)),
            gain: interval(&groups, ROUNDS, CONFIDENCE, 1, |sample| gain(sample)),
            aggressiveness: style.map_or(0.0, |player| player.points.total()),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(arm: Arm, opening: u64, points: f64, plies: f64) -> Encounter {
        let (plies, color) = (if points == 1.0 { plies } else { LONGEST as f64 }, "white".to_owned());
        Encounter { arm, rating: 1500, opening, color, points, plies, spent: 0.1, outcome: None }
    }

    #[test]
    fn arms_are_compared_over_shared_games() {
        let games = [
            game(Arm::Plain, 0, 1.0, 40.0),
            game(Arm::Plain, 1, 1.0, 60.0),
            game(Arm::Plain, 2, 0.5, 0.0),
            game(Arm::Bounded, 0, 1.0, 30.0),
            game(Arm::Bounded, 1, 1.0, 50.0),
            // Plain search has not played this one.
            game(Arm::Bounded, 7, 0.0, 0.0),
        ];
        let found = summaries(&games, None);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].arm, found[0].games, found[0].plies), (Arm::Plain, 3, 100.0));
        assert_eq!(found[0].ratio.map(|ratio| ratio.estimate), Some(1.0));
        let bounded = &found[1];
        assert_eq!((bounded.arm, bounded.games, bounded.wins, bounded.plies), (Arm::Bounded, 2, 1.0, 40.0));
        let ratio = bounded.ratio.unwrap();
        assert!((ratio.estimate - 0.8).abs() < 1e-12 && ratio.low <= 0.8 && ratio.high >= 0.8);
        assert_eq!(bounded.gain.map(|gain| gain.estimate), Some(0.0));
        assert!(summaries(&games, Some(1100)).is_empty());
    }
}
