//! Who plays whom, in which order, from which opening: a pure function of the experiment, so that a resumed or sharded
//! run plays exactly the games that are missing.

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everybody against everybody.
    RoundRobin,
    /// The first player against all others.
    Gauntlet,
    /// Each player against the next one in the list: for many players in a known order, whose far ends would only prove the obvious.
    Ladder,
    /// Each of the first so many against each of the rest.
    Challengers(usize),
}

/// One game to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTask {
    /// Place in the schedule, from 0; also the key under which the game is stored.
    pub number: u64,
    /// Games 2n and 2n + 1 form pair n: same opening, colours swapped.
    pub pair: u64,
    /// The pair's place among the pairs of the same two players; decides the opening.
    pub round: u64,
    pub white: usize,
    pub black: usize,
}

/// A part of a schedule, for spreading a run over machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// The whole.
    pub const ALL: Self = Self { index: 0, count: 1 };

    /// Whether this shard plays a pair.
    pub fn holds(self, pair: u64) -> bool {
        pair % self.count == self.index
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    /// `i/n` with i from 1 to n.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("shard '{text}': expected i/n with i from 1 to n, as in 2/8");
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let (index, count): (u64, u64) =
            (index.trim().parse().map_err(|_| wrong())?, count.trim().parse().map_err(|_| wrong())?);
        if index == 0 || index > count {
            return Err(wrong());
        }
        Ok(Self { index: index - 1, count })
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

/// All games of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    players: usize,
    format: Format,
    rounds: u64,
}

impl Schedule {
    /// `rounds` pairs for every two players that meet.
    pub fn new(players: usize, format: Format, rounds: u64) -> Self {
        Self { players, format, rounds }
    }

    /// Is it the first against all others?
    pub fn is_gauntlet(&self) -> bool {
        self.format == Format::Gauntlet
    }

    /// How many different opponents meet.
    pub fn meetings(&self) -> u64 {
        let players = self.players as u64;
        match self.format {
            Format::RoundRobin => players * players.saturating_sub(1) / 2,
            Format::Gauntlet | Format::Ladder => players.saturating_sub(1),
            Format::Challengers(count) => count as u64 * players.saturating_sub(count as u64),
        }
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.meetings() * self.rounds
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.pairs() * 2
    }

    /// The game with a number; every meeting gets its first pair before any gets its second.
    pub fn task(&self, number: u64) -> Option<GameTask> {
        if number >= self.games() {
            return None;
        }
        let pair = number / 2;
        let (round, meeting) = (pair / self.meetings(), pair % self.meetings());
        let (first, second) = self.opponents(meeting);
        let (white, black) = if number.is_multiple_of(2) { (first, second) } else { (second, first) };
        Some(GameTask { number, pair, round, white, black })
    }

    /// The two players of a meeting.
    fn opponents(&self, meeting: u64) -> (usize, usize) {
        let mut left = meeting as usize;
        match self.format {
            Format::Gauntlet => (0, left + 1),
            Format::Ladder => (left, left + 1),
            Format::Challengers(count) => {
                let rest = self.players - count;
                (left / rest, count + left % rest)
            }
            Format::RoundRobin => {
                let mut first = 0;
                while left >= self.players - 1 - first {
                    left -= self.players - 1 - first;
                    first += 1;
                }
                (first, first + 1 + left)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn tasks(schedule: &Schedule) -> Vec<GameTask> {
        (0..schedule.games()).filter_map(|number| schedule.task(number)).collect()
    }

    #[test]
    fn everybody_meets_everybody_equally_with_both_colours() {
        let schedule = Schedule::new(5, Format::RoundRobin, 3);
        let tasks = tasks(&schedule);
        assert_eq!(tasks.len(), 10 * 3 * 2);
        let mut met: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for task in &tasks {
            *met.entry((task.white, task.black)).or_default() += 1;
        }
        assert_eq!(met.len(), 20);
        assert!(met.values().all(|count| *count == 3));
        assert!(met.keys().all(|(white, black)| white != black && *white < 5 && *black < 5));
        assert_eq!(schedule.task(schedule.games()), None);
    }

    #[test]
    fn a_gauntlet_is_the_first_against_the_rest() {
        assert!(Schedule::new(4, Format::Gauntlet, 2).is_gauntlet());
        let tasks = tasks(&Schedule::new(4, Format::Gauntlet, 2));
        assert_eq!(tasks.len(), 12);
        assert!(tasks.iter().all(|task| (task.white == 0) != (task.black == 0)));
    }

    #[test]
    fn on_a_ladder_each_meets_its_neighbours() {
        let tasks = tasks(&Schedule::new(4, Format::Ladder, 2));
        assert_eq!(tasks.len(), 12);
        assert!(tasks.iter().all(|task| task.white.abs_diff(task.black) == 1));
    }

    #[test]
    fn challengers_meet_the_rest_and_not_each_other() {
        let tasks = tasks(&Schedule::new(5, Format::Challengers(2), 1));
        assert_eq!(tasks.len(), 2 * 3 * 2);
        assert!(tasks.iter().all(|task| (task.white < 2) != (task.black < 2)));
    }

    #[test]
    fn a_pair_shares_its_opening_and_swaps_its_colours() {
        for games in tasks(&Schedule::new(3, Format::RoundRobin, 4)).chunks(2) {
            assert_eq!((games[0].pair, games[0].round), (games[1].pair, games[1].round));
            assert_eq!((games[0].white, games[0].black), (games[1].black, games[1].white));
        }
    }

    #[test]
    fn shards_divide_the_pairs_without_overlap() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|text| text.parse().unwrap()).collect();
        for pair in 0..50 {
            assert_eq!(shards.iter().filter(|shard| shard.holds(pair)).count(), 1);
        }
        for wrong in ["", "0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        assert_eq!(shards[1].to_string(), "2/3");
    }
}
