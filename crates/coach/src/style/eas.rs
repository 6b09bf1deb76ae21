//! An aggressiveness score after Stefan Pohl's EAS tool (Engines Aggressiveness Statistics).
//!
//! For each player, with percentages times one hundred (12.5 % counts 1,250):
//!
//! - *sacrifices*: of the games won, those in which the winner was behind for eight plies (or until the mate) by 1, 2, 3, 4, 5 or
//!   more pawns, or by a queen: 5, 15, 45, 90, 180 and 350 points each. Only the largest of a game counts.
//! - *short wins*: of the games won, those no longer than L, L-5, L-10, L-15, L-20 moves: 8, 12, 18, 27 and 45
//!   points each, where L is the mean length of all won games, rounded down to five, less fifteen, and at least 25.
//!   A game counts in its shortest tier only.
//! - *bad draws*: of all games, those drawn with the pieces still on or from at least a pawn ahead, unless the player was
//!   behind as well: ten points each, taken away. The sum is never below zero.
//!
//! The weights of sacrifices and short wins are those published with version 5.2 of the tool; how a sacrifice and a bad draw are
//! recognised is our own, so scores compare players of one file, not files or other people's lists.

use super::outcome::GameOutcome;
use std::collections::BTreeMap;

const SACRIFICE_POINTS: [f64; 6] = [5.0, 15.0, 45.0, 90.0, 180.0, 350.0];
const SHORT_WIN_POINTS: [f64; 5] = [8.0, 12.0, 18.0, 27.0, 45.0];
const BAD_DRAW_POINTS: f64 = 10.0;
/// The longest tier lies this far below the mean, and the others in steps below it.
const BELOW_THE_MEAN: u32 = 15;
const STEP: u32 = 5;
/// In files of very short games the shortest tier would be no moves at all.
const LOWEST_LIMIT: u32 = 25;

/// The longest win of each tier, in full moves, falling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits(pub [u32; 5]);

impl Limits {
    /// From the mean length of all won games.
    pub fn around(mean: f64) -> Limits {
        let rounded = (mean.max(0.0) / f64::from(STEP)).floor() as u32 * STEP;
        let longest = rounded.saturating_sub(BELOW_THE_MEAN).max(LOWEST_LIMIT);
        Limits(std::array::from_fn(|tier| longest - STEP * tier as u32))
    }

    /// The shortest tier a game of this length belongs to.
    fn tier(&self, moves: u32) -> Option<usize> {
        self.0.iter().rposition(|limit| moves <= *limit)
    }
}

/// What each part of the score brings.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Points {
    pub sacrifices: f64,
    pub short_wins: f64,
    /// Taken away.
    pub bad_draws: f64,
}

impl Points {
    pub fn total(&self) -> f64 {
        (self.sacrifices + self.short_wins - self.bad_draws).max(0.0)
    }
}

/// One player's games, counted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Player {
    pub name: String,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// Won games by the largest sacrifice, in the order of [`super::Sacrifice::ALL`].
    pub sacrifices: [u32; 6],
    /// Won games by tier, longest first.
    pub short_wins: [u32; 5],
    pub bad_draws: u32,
    pub points: Points,
}

impl Player {
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    fn add(&mut self, outcome: GameOutcome, limits: &Limits) {
        match outcome {
            GameOutcome::Won { moves, sacrifice } => {
                self.wins += 1;
                if let Some(size) = sacrifice {
                    self.sacrifices[size as usize] += 1;
                }
                if let Some(tier) = limits.tier(moves) {
                    self.short_wins[tier] += 1;
                }
            }
            GameOutcome::Drawn { bad } => {
                self.draws += 1;
                self.bad_draws += u32::from(bad);
            }
            GameOutcome::Lost => self.losses += 1,
        }
    }

    fn count_points(&mut self) {
        // Per cent times one hundred.
        let share = |part: u32, whole: u32| 10_000.0 * f64::from(part) / f64::from(whole.max(1));
        let sum = |counts: &[u32], points: &[f64]| -> f64 {
            counts.iter().zip(points).map(|(count, points)| share(*count, self.wins) * points).sum()
        };
        self.points = Points {
            sacrifices: sum(&self.sacrifices, &SACRIFICE_POINTS),
            short_wins: sum(&self.short_wins, &SHORT_WIN_POINTS),
            bad_draws: share(self.bad_draws, self.games()) * BAD_DRAW_POINTS,
        };
    }
}

/// The players of a set of games, most aggressive first.
#[derive(Clone, PartialEq, Debug)]
pub struct Eas {
    pub players: Vec<Player>,
    pub limits: Limits,
    /// Full moves of a won game on average; `None` when nobody won.
    pub mean_win: Option<f64>,
}

/// Scores everybody: one outcome for each player of each game.
pub fn score<'a>(outcomes: impl IntoIterator<Item = (&'a str, GameOutcome)>) -> Eas {
    let outcomes: Vec<(&str, GameOutcome)> = outcomes.into_iter().collect();
    let lengths: Vec<f64> = outcomes
        .iter()
        .filter_map(|(_, outcome)| match outcome {
            GameOutcome::Won { moves, .. } => Some(f64::from(*moves)),
            _ => None,
        })
        .collect();
    let mean_win = (!lengths.is_empty()).then(|| lengths.iter().sum::<f64>() / lengths.len() as f64);
    let limits = Limits::around(mean_win.unwrap_or_default());
    let mut players: BTreeMap<&str, Player> = BTreeMap::new();
    for (name, outcome) in outcomes {
        let player = players.entry(name).or_insert_with(|| Player { name: name.into(), ..Player::default() });
        player.add(outcome, &limits);
    }
    let mut players: Vec<Player> = players.into_values().collect();
    players.iter_mut().for_each(Player::count_points);
    players.sort_by(|a, b| b.points.total().total_cmp(&a.points.total()).then_with(|| a.name.cmp(&b.name)));
    Eas { players, limits, mean_win }
}

#[cfg(test)]
mod tests {
    use super::super::Sacrifice;
    use super::*;

    fn won(moves: u32, sacrifice: Option<Sacrifice>) -> GameOutcome {
        GameOutcome::Won { moves, sacrifice }
    }

    #[test]
    fn the_published_examples_of_limits() {
        assert_eq!(Limits::around(78.0).0, [60, 55, 50, 45, 40]);
        assert_eq!(Limits::around(58.0).0, [40, 35, 30, 25, 20]);
        assert_eq!(Limits::around(0.0).0, [25, 20, 15, 10, 5]);
    }

    #[test]
    fn a_win_counts_in_its_shortest_tier() {
        let limits = Limits::around(78.0);
        for (moves, tier) in
            [(61, None), (60, Some(0)), (56, Some(0)), (55, Some(1)), (40, Some(4)), (3, Some(4))]
        {
            assert_eq!(limits.tier(moves), tier, "{moves}");
        }
    }

    #[test]
    fn points_by_hand() {
        // Ten wins of 78 moves, one of them with a queen given up; ten draws, five of them bad.
        let mut outcomes = vec![("Tal", won(78, Some(Sacrifice::Queen)))];
        outcomes.extend((0..9).map(|_| ("Tal", won(78, None))));
        outcomes.extend((0..10).map(|number| ("Tal", GameOutcome::Drawn { bad: number < 5 })));
        let found = score(outcomes);
        let tal = &found.players[0];
        assert_eq!((tal.games(), tal.wins, tal.draws, tal.bad_draws), (20, 10, 10, 5));
        // A tenth of the wins at 350, a quarter of the games at 10.
        assert_eq!(tal.points.sacrifices, 1000.0 * 350.0);
        assert_eq!(tal.points.bad_draws, 2500.0 * 10.0);
        assert_eq!(tal.points.total(), 350_000.0 - 25_000.0);
    }

    #[test]
    fn short_wins_are_measured_against_the_whole_file() {
        let outcomes = [("Quick", won(30, None)), ("Slow", won(126, None)), ("Slow", GameOutcome::Lost)];
        let found = score(outcomes);
        assert_eq!(found.mean_win, Some(78.0));
        assert_eq!(found.players[0].name, "Quick");
        assert_eq!(found.players[0].points.total(), 10_000.0 * 45.0);
        assert_eq!(found.players[1].points.total(), 0.0);
        assert_eq!(found.players[1].losses, 1);
    }

    #[test]
    fn nobody_falls_below_zero_and_equals_are_in_order_of_names() {
        let found = score([("B", GameOutcome::Drawn { bad: true }), ("A", GameOutcome::Drawn { bad: true })]);
        assert_eq!(found.mean_win, None);
        let names: Vec<&str> = found.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["A", "B"]);
        assert!(found.players.iter().all(|player| player.points.total() == 0.0));
    }
}
