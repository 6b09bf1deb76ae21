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
    /// So many rounds; in each, engines of about equal score meet, and no two twice where that can be avoided.
    Swiss(u64),
    /// The winner of a meeting goes on; of equals the one that is earlier in the list.
    Knockout,
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

    /// Pairs for every two players that meet.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Who meets whom.
    pub fn format(&self) -> Format {
        self.format
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
            Format::Gauntlet | Format::Ladder | Format::Knockout => players.saturating_sub(1),
            Format::Challengers(count) => count as u64 * players.saturating_sub(count as u64),
            Format::Swiss(rounds) => rounds * (players / 2),
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

    /// Whether who meets whom depends on results; then [`Schedule::stages`] tells, and [`Schedule::task`] does not.
    pub fn is_staged(&self) -> bool {
        matches!(self.format, Format::Swiss(_) | Format::Knockout)
    }

    /// The games of every stage that is known by now, in the order of their numbers: those of a stage are known when all
    /// games of the stages before are played. `points` are White's in a game.
    pub fn stages(&self, points: &dyn Fn(u64) -> Option<f64>) -> Vec<Vec<GameTask>> {
        let mut stages: Vec<Vec<GameTask>> = Vec::new();
        let mut field = Field::new(self.players);
        let mut first = 0;
        loop {
            let meetings = match self.format {
                Format::Swiss(rounds) if (stages.len() as u64) < rounds => field.swiss(),
                Format::Knockout => field.knockout(),
                _ => return stages,
            };
            if meetings.is_empty() {
                return stages;
            }
            let mut tasks = Vec::new();
            for round in 0..self.rounds {
                for (meeting, (one, other)) in meetings.iter().enumerate() {
                    let pair = first + round * meetings.len() as u64 + meeting as u64;
                    let of_pair = stages.len() as u64 * self.rounds + round;
                    for (second, white, black) in [(0, *one, *other), (1, *other, *one)] {
                        tasks.push(GameTask {
                            number: 2 * pair + second,
                            pair,
                            round: of_pair,
                            white,
                            black,
                        });
                    }
                }
            }
            first += self.rounds * meetings.len() as u64;
            let mut known = true;
            for task in &tasks {
                match points(task.number) {
                    Some(points) => field.add(task, points),
                    None => known = false,
                }
            }
            stages.push(tasks);
            if !known {
                return stages;
            }
            field.end_stage(&meetings);
        }
    }

    /// The game with a number; every meeting gets its first pair before any gets its second.
    pub fn task(&self, number: u64) -> Option<GameTask> {
        if number >= self.games() || self.is_staged() {
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
            // Staged formats have no fixed opponents: see `stages`.
            Format::Ladder | Format::Swiss(_) | Format::Knockout => (left, left + 1),
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

/// The players of a staged tournament and what they have so far.
struct Field {
    points: Vec<f64>,
    /// Points of the present stage.
    stage: Vec<f64>,
    met: Vec<(usize, usize)>,
    byes: Vec<usize>,
    /// Who is still in, of a knockout.
    left: Vec<usize>,
}

impl Field {
    fn new(players: usize) -> Self {
        Self {
            points: vec![0.0; players],
            stage: vec![0.0; players],
            met: Vec::new(),
            byes: Vec::new(),
            left: (0..players).collect(),
        }
    }

    fn add(&mut self, task: &GameTask, points: f64) {
        for (player, points) in [(task.white, points), (task.black, 1.0 - points)] {
            self.points[player] += points;
            self.stage[player] += points;
        }
    }

    /// The best first; who is left over in an odd field is the last that had no bye yet.
    fn swiss(&mut self) -> Vec<(usize, usize)> {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by(|one, other| self.points[*other].total_cmp(&self.points[*one]).then(one.cmp(other)));
        if order.len() % 2 == 1 {
            let place =
                order.iter().rposition(|player| !self.byes.contains(player)).unwrap_or(order.len() - 1);
            self.byes.push(order.remove(place));
        }
        let mut meetings = Vec::new();
        if !self.pair(&order, &mut meetings) {
            // All pairings repeat a meeting: neighbours in the table meet again.
            meetings = order.chunks_exact(2).map(|two| (two[0], two[1])).collect();
        }
        meetings
    }

    /// Pairs the best with the next it has not met, and goes back where the rest cannot be paired then.
    fn pair(&self, order: &[usize], meetings: &mut Vec<(usize, usize)>) -> bool {
        let [first, rest @ ..] = order else { return true };
        for (place, other) in rest.iter().enumerate() {
            let pair = (*first.min(other), *first.max(other));
            if self.met.contains(&pair) {
                continue;
            }
            meetings.push((*first, *other));
            let others: Vec<usize> =
                rest.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, player)| *player).collect();
            if self.pair(&others, meetings) {
                return true;
            }
            meetings.pop();
        }
        false
    }

    /// The first against the last, and so on; in an odd field the first goes on without a game.
    fn knockout(&self) -> Vec<(usize, usize)> {
        let count = self.left.len();
        let bye = count % 2;
        (0..count / 2).map(|place| (self.left[bye + place], self.left[count - 1 - place])).collect()
    }

    fn end_stage(&mut self, meetings: &[(usize, usize)]) {
        for (one, other) in meetings {
            self.met.push((*one.min(other), *one.max(other)));
            let loser = if self.stage[*one] >= self.stage[*other] { other } else { one };
            self.left.retain(|player| player != loser);
        }
        // A bye counts as a won meeting.
        if let (Some(bye), Some((one, other))) = (self.byes.last(), meetings.first()) {
            self.points[*bye] += self.stage[*one] + self.stage[*other];
        }
        self.stage.fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Plays a staged tournament in which the lower number always wins; the games in the order of their numbers.
    fn staged(schedule: &Schedule) -> Vec<Vec<GameTask>> {
        let mut stages = schedule.stages(&|_| None);
        loop {
            let known: BTreeMap<u64, f64> = stages
                .iter()
                .flatten()
                .map(|task| (task.number, if task.white < task.black { 1.0 } else { 0.0 }))
                .collect();
            let next = schedule.stages(&|number| known.get(&number).copied());
            if next.len() == stages.len() {
                return next;
            }
            // What was known does not change.
            assert_eq!(next[..stages.len()], stages[..]);
            stages = next;
        }
    }

    #[test]
    fn a_swiss_tournament_pairs_equals_and_nobody_twice() {
        for players in [2, 5, 8] {
            let rounds = if players == 2 { 1 } else { 3 };
            let schedule = Schedule::new(players, Format::Swiss(rounds), 2);
            let stages = staged(&schedule);
            assert_eq!(stages.len() as u64, rounds);
            assert_eq!(stages.iter().flatten().count() as u64, schedule.games());
            let numbers: Vec<u64> = stages.iter().flatten().map(|task| task.number).collect();
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..schedule.games()).collect::<Vec<_>>());
            let mut met = BTreeMap::new();
            for task in stages.iter().flatten() {
                *met.entry((task.white.min(task.black), task.white.max(task.black))).or_insert(0) += 1;
            }
            assert!(met.values().all(|games| *games == 4), "{players} players: {met:?}");
        }
        // After the first round the winners meet: 0 beat 1, 2 beat 3.
        let stages = staged(&Schedule::new(4, Format::Swiss(2), 1));
        assert_eq!((stages[1][0].white, stages[1][0].black), (0, 2));
    }

    #[test]
    fn a_knockout_ends_with_the_best_in_the_final() {
        for (players, sizes) in [(8, vec![4, 2, 1]), (5, vec![2, 1, 1]), (2, vec![1])] {
            let schedule = Schedule::new(players, Format::Knockout, 1);
            let stages = staged(&schedule);
            let found: Vec<usize> = stages.iter().map(|tasks| tasks.len() / 2).collect();
            assert_eq!(found, sizes);
            assert_eq!(stages.iter().flatten().count() as u64, schedule.games());
            let last = stages.last().unwrap();
            assert!(last[0].white == 0 || last[0].black == 0);
        }
    }

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
