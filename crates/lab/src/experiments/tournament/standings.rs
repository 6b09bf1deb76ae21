//! What the games say so far.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use chess::Color;

use match_runner::game::{GameResult, Termination};
use stats::ratings::Encounter;
use stats::score::{Games, Outcome, Pairs};
use stats::sprt::{Sprt, SprtDecision};

/// One game as the standings need it.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    pub number: u64,
    pub white: usize,
    pub black: usize,
    pub result: GameResult,
    pub termination: Termination,
    /// The same for two games of the same moves; `None` where an accident ended the game.
    pub course: Option<u64>,
}

/// Start, end and length: games of the same players that agree in these have the same moves. Rows of a committed table have no more.
pub fn course_of(start: &str, last: &str, plies: usize, termination: Termination) -> Option<u64> {
    if termination == Termination::TimeForfeit || termination.is_fault() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    (start, last, plies).hash(&mut hasher);
    Some(hasher.finish())
}

/// So many pairs in a row that repeat earlier ones say that the openings are used up.
const USED_UP: u64 = 20;

/// Results counted for the lower-numbered engine of every two that met.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    players: usize,
    games: BTreeMap<u64, Played>,
    /// White, Black and the course of every game, with the lowest number that has it.
    first: BTreeMap<(usize, usize, u64), u64>,
    /// Pairs whose two games are both played, in schedule order and without a gap: what a sequential test may look at.
    /// Looking at whatever finished first would favour short games.
    unbroken: u64,
    /// The last pairs of the unbroken sequence that repeat earlier ones.
    repeats_in_a_row: u64,
    sequence: Vec<Pairs>,
    sprt: Option<Sprt>,
    /// Log-likelihood ratios after every pair of the unbroken sequence, up to the one that decides.
    llr: Vec<f64>,
}

impl Standings {
    /// For this many engines, and the test to follow if there is one.
    pub fn new(players: usize, sprt: Option<Sprt>) -> Self {
        Self { players, sprt, ..Self::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, played: Played) {
        self.games.insert(played.number, played);
        if let Some(course) = played.course {
            let first = self.first.entry((played.white, played.black, course)).or_insert(played.number);
            *first = played.number.min(*first);
        }
        while let Some((first, second)) = self.pair(self.unbroken) {
            self.unbroken += 1;
            if self.is_repeat(2 * self.unbroken - 2) {
                self.repeats_in_a_row += 1;
                continue;
            }
            self.repeats_in_a_row = 0;
            let mut pairs = self.sequence.last().copied().unwrap_or_default();
            pairs.add(first, second);
            if let Some(sprt) = &self.sprt
                && self.decision() == SprtDecision::Continue
            {
                self.llr.push(sprt.llr_of_pairs(&pairs));
            }
            self.sequence.push(pairs);
        }
    }

    /// A pair whose games both repeat earlier ones says nothing new, as when engines that search a fixed number of nodes
    /// begin with the same opening again: it is not counted a second time. So is a game whose partner is missing.
    fn is_repeat(&self, number: u64) -> bool {
        let repeats = |number: u64| {
            let played = self.games.get(&number)?;
            Some(played.course.is_some_and(|course| {
                self.first.get(&(played.white, played.black, course)).is_some_and(|first| *first < number)
            }))
        };
        repeats(number) == Some(true) && repeats(number ^ 1) != Some(false)
    }

    /// More games of two engines would only repeat what is known.
    pub fn is_used_up(&self) -> bool {
        self.players == 2 && self.repeats_in_a_row >= USED_UP
    }

    /// How many games are not counted because they repeat earlier ones.
    pub fn repeats(&self) -> u64 {
        self.games.keys().filter(|number| self.is_repeat(**number)).count() as u64
    }

    /// Games played.
    pub fn count(&self) -> usize {
        self.games.len()
    }

    /// All games, in schedule order.
    pub fn games(&self) -> impl Iterator<Item = &Played> {
        self.games.values()
    }

    /// All games but repeats, in schedule order.
    pub fn counted(&self) -> impl Iterator<Item = &Played> {
        self.games.values().filter(|played| !self.is_repeat(played.number))
    }

    /// The results of a pair for the first engine, when both games are there.
    fn pair(&self, pair: u64) -> Option<(Outcome, Outcome)> {
        let first = self.games.get(&(2 * pair))?;
        let second = self.games.get(&(2 * pair + 1))?;
        Some((first.result.for_side(Color::White), second.result.for_side(Color::Black)))
    }

    /// Games of one engine against another, from the first one's side.
    pub fn versus(&self, engine: usize, other: usize) -> Games {
        let mut games = Games::default();
        for played in self.counted() {
            if (played.white, played.black) == (engine, other) {
                games.add(played.result.for_side(Color::White));
            } else if (played.black, played.white) == (engine, other) {
                games.add(played.result.for_side(Color::Black));
            }
        }
        games
    }

    /// Complete pairs of one engine against another, from the first one's side.
    pub fn pairs(&self, engine: usize, other: usize) -> Pairs {
        let mut pairs = Pairs::default();
        let numbers = self.counted().map(|played| played.number);
        for number in numbers.filter(|number| number.is_multiple_of(2)) {
            let (Some(first), Some(second)) = (self.games.get(&number), self.games.get(&(number + 1))) else {
                continue;
            };
            if (first.white, first.black) == (engine, other) {
                pairs.add(first.result.for_side(Color::White), second.result.for_side(Color::Black));
            } else if (first.black, first.white) == (engine, other) {
                pairs.add(first.result.for_side(Color::Black), second.result.for_side(Color::White));
            }
        }
        pairs
    }

    /// Log-likelihood ratios after every pair of the unbroken sequence, up to and including the one that decides; empty
    /// without a test.
    pub fn llr_history(&self) -> &[f64] {
        &self.llr
    }

    /// What the sequential test says; pairs after its decision do not change it.
    pub fn decision(&self) -> SprtDecision {
        match (&self.sprt, self.llr.last()) {
            (Some(sprt), Some(llr)) => sprt.decision(*llr),
            _ => SprtDecision::Continue,
        }
    }

    /// The pairs the decision rests on.
    pub fn judged_pairs(&self) -> Pairs {
        let last = self.llr.len().checked_sub(1);
        last.and_then(|last| self.sequence.get(last)).copied().unwrap_or_default()
    }

    /// Everybody's games against everybody, for a rating list.
    pub fn encounters(&self) -> Vec<Encounter> {
        let mut tallies: BTreeMap<(usize, usize), Games> = BTreeMap::new();
        for played in self.counted() {
            tallies
                .entry((played.white, played.black))
                .or_default()
                .add(played.result.for_side(Color::White));
        }
        tallies
            .into_iter()
            .map(|((white, black), games)| Encounter {
                white,
                black,
                wins: games.wins as f64,
                draws: games.draws as f64,
                losses: games.losses as f64,
            })
            .collect()
    }

    /// How many games each engine lost by flag or fault: time forfeits, then faults.
    pub fn troubles(&self, engine: usize) -> (u64, u64) {
        let (mut flags, mut faults) = (0, 0);
        for played in self.games.values() {
            let lost = match played.result {
                GameResult::WhiteWins => Some(played.black),
                GameResult::BlackWins => Some(played.white),
                GameResult::Draw => None,
            };
            if lost == Some(engine) {
                flags += u64::from(played.termination == Termination::TimeForfeit);
                faults += u64::from(played.termination.is_fault());
            }
        }
        (flags, faults)
    }

    /// How games ended, most frequent first.
    pub fn endings(&self) -> Vec<(Termination, u64)> {
        let mut counts: BTreeMap<Termination, u64> = BTreeMap::new();
        for played in self.games.values() {
            *counts.entry(played.termination).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }

    /// Engines in the pool.
    pub fn players(&self) -> usize {
        self.players
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::sprt::Model;

    fn played(number: u64, result: GameResult) -> Played {
        let (white, black) = if number.is_multiple_of(2) { (0, 1) } else { (1, 0) };
        Played { number, white, black, result, termination: Termination::Checkmate, course: None }
    }

    #[test]
    fn results_are_counted_from_the_first_engines_side() {
        let mut standings = Standings::new(2, None);
        standings.add(played(0, GameResult::WhiteWins));
        standings.add(played(1, GameResult::BlackWins));
        standings.add(played(2, GameResult::Draw));
        assert_eq!(standings.versus(0, 1), Games { wins: 2, draws: 1, losses: 0 });
        assert_eq!(standings.versus(1, 0), Games { wins: 0, draws: 1, losses: 2 });
        assert_eq!(standings.pairs(0, 1), Pairs { ww: 1, ..Pairs::default() });
        assert_eq!(standings.pairs(1, 0), Pairs { ll: 1, ..Pairs::default() });
        assert_eq!(standings.encounters().len(), 2);
    }

    #[test]
    fn the_order_of_arrival_does_not_change_a_sequential_test() {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05, Model::Logistic).unwrap();
        let results: Vec<GameResult> = (0..200)
            .map(|number| match number % 7 {
                0 | 3 => GameResult::Draw,
                odd if (odd + number) % 2 == 0 => GameResult::WhiteWins,
                _ => GameResult::BlackWins,
            })
            .collect();
        let tally = |order: Vec<usize>| {
            let mut standings = Standings::new(2, Some(sprt));
            for number in order {
                standings.add(played(number as u64, results[number]));
            }
            (standings.llr_history().to_vec(), standings.decision(), standings.judged_pairs())
        };
        let forward = tally((0..200).collect());
        assert_eq!(forward, tally((0..200).rev().collect()));
        // A gap hides what comes after it.
        let gap = tally((0..200).filter(|number| *number != 5).collect());
        assert_eq!(gap.2.total(), 2);
    }

    #[test]
    fn pairs_after_the_decision_do_not_count() {
        let sprt = Sprt::new(0.0, 400.0, 0.05, 0.05, Model::Logistic).unwrap();
        let mut standings = Standings::new(2, Some(sprt));
        for number in 0..60 {
            standings.add(played(number, GameResult::Draw));
        }
        assert_eq!(standings.decision(), SprtDecision::AcceptH0);
        assert!(standings.llr_history().last().is_some_and(|llr| *llr <= sprt.lower_bound()));
        assert!(standings.judged_pairs().total() < 30, "{:?}", standings.judged_pairs());
        assert_eq!(standings.pairs(0, 1).total(), 30);
    }

    #[test]
    fn a_pair_that_repeats_an_earlier_one_is_counted_once() {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05, Model::Logistic).unwrap();
        let game = |number: u64, course: u64| {
            let result = if number.is_multiple_of(2) { GameResult::WhiteWins } else { GameResult::Draw };
            Played { course: Some(course), ..played(number, result) }
        };
        // Three openings; the fourth pair repeats the first, and only one game of the fifth is new.
        let games = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1), (7, 2), (8, 1), (9, 7)];
        let tally = |order: &mut dyn Iterator<Item = &(u64, u64)>| {
            let mut standings = Standings::new(2, Some(sprt));
            order.for_each(|(number, course)| standings.add(game(*number, *course)));
            standings
        };
        let standings = tally(&mut games.iter());
        assert_eq!((standings.count(), standings.repeats()), (10, 2));
        assert_eq!(standings.versus(0, 1), Games { wins: 4, draws: 4, losses: 0 });
        assert_eq!((standings.pairs(0, 1).total(), standings.judged_pairs().total()), (4, 4));
        assert_eq!(standings.encounters().iter().map(|met| met.wins + met.draws).sum::<f64>(), 8.0);
        let backwards = tally(&mut games.iter().rev());
        assert_eq!(backwards.llr_history(), standings.llr_history(), "whichever game ends first");
        assert!(!standings.is_used_up());
        let mut same = standings;
        (10..50).for_each(|number| same.add(game(number, 1 + number % 2)));
        assert!(same.is_used_up(), "20 pairs in a row");
        // What ends by accident may end so again.
        assert_eq!(course_of("start", "last", 4, Termination::TimeForfeit), None);
        assert_ne!(course_of("start", "last", 4, Termination::Checkmate), None);
    }
}
