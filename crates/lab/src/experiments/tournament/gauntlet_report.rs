//! A gauntlet's own table: the first engine against each of the others.

use super::config::Tournament;
use super::standings::Standings;
use charts::html::Page;
use charts::plots::{self, Bar};

/// Beyond this many Elo a bar would squeeze the others together: such a meeting is in the table only.
const WIDEST: f64 = 400.0;

/// In words: whom the first engine beats beyond the error, who beats it, and how many cannot be told apart.
pub(super) fn words(tournament: &Tournament, standings: &Standings) -> Vec<String> {
    let Some(subject) = tournament.engines.first() else { return Vec::new() };
    let meetings = meetings(tournament, standings);
    let named = |verb: &str, wanted: fn(&Meeting) -> bool| {
        let names: Vec<&str> =
            meetings.iter().filter(|meeting| wanted(meeting)).map(|meeting| meeting.name.as_str()).collect();
        (!names.is_empty()).then(|| format!("{verb} ({}): {}.", names.len(), names.join(", ")))
    };
    let close = meetings.iter().filter(|meeting| !meeting.is_won() && !meeting.is_lost()).count();
    let mut sentences = Vec::new();
    sentences.extend(named(&format!("{} is stronger beyond the error than", subject.name), Meeting::is_won));
    sentences.extend(named(&format!("{} is weaker beyond the error than", subject.name), Meeting::is_lost));
    if close > 0 {
        sentences.push(format!("{close} of {} cannot be told apart from it at 95 %.", meetings.len()));
    }
    if meetings.len() >= 20 {
        sentences.push(format!(
            "With {} meetings about {:.0} would fall outside their intervals by chance alone.",
            meetings.len(),
            0.05 * meetings.len() as f64
        ));
    }
    sentences
}

/// The meetings with games, the worst beaten first.
fn meetings(tournament: &Tournament, standings: &Standings) -> Vec<Meeting> {
    let mut meetings: Vec<Meeting> =
        (1..tournament.engines.len()).filter_map(|other| Meeting::of(tournament, standings, other)).collect();
    meetings.sort_by(|one, other| other.share.total_cmp(&one.share));
    meetings
}

/// What the first engine did against each of the others.
pub(super) fn sections(page: &mut Page, tournament: &Tournament, standings: &Standings) {
    let Some(subject) = tournament.engines.first() else { return };
    let meetings = meetings(tournament, standings);
    page.heading(&format!("{} against each", subject.name));
    let rows: Vec<Vec<String>> = meetings.iter().map(Meeting::row).collect();
    page.table(&["against", "games", "won", "drawn", "lost", "score", "Elo (95 %, over pairs)"], &rows);
    let bars: Vec<Bar> = meetings
        .iter()
        .filter_map(|meeting| {
            let (value, error) = meeting.elo?;
            (value.abs() + error <= WIDEST).then(|| Bar { label: meeting.name.clone(), value, error })
        })
        .collect();
    if bars.is_empty() {
        return;
    }
    let left_out = meetings.len() - bars.len();
    let beyond = if left_out == 0 {
        String::new()
    } else {
        format!(
            " Not drawn: {left_out} whose interval has no end or goes beyond {WIDEST} Elo."
        )
    };
    page.figure(&plots::intervals(
        &bars,
        "Elo",
        &format!("How much stronger {} is than each, with 95 % intervals.{beyond}", subject.name),
    ));
}

struct Meeting {
    name: String,
    counts: [u64; 4],
    share: f64,
    /// The difference and its error; `None` where they have no finite interval.
    elo: Option<(f64, f64)>,
    /// The ends of the interval, perhaps infinite.
    interval: (f64, f64),
    /// What the table says of the difference.
    text: String,
}

impl Meeting {
    fn of(tournament: &Tournament, standings: &Standings, other: usize) -> Option<Self> {
        let games = standings.versus(0, other);
        if games.total() == 0 {
            return None;
        }
        let estimate = standings.pairs(0, other).estimate().or_else(|| games.estimate())?;
        let elo = Some((estimate.elo(), estimate.elo_error()))
            .filter(|(elo, error)| elo.is_finite() && error.is_finite());
        let share = games.points() / games.total() as f64;
        let text = estimate
            .bound_text()
            .unwrap_or_else(|| format!("{:+.0} ± {:.0}", estimate.elo(), estimate.elo_error()));
        Some(Self {
            name: tournament.engines[other].name.clone(),
            counts: [games.total(), games.wins, games.draws, games.losses],
            share,
            elo,
            interval: estimate.elo_interval(),
            text,
        })
    }

    fn is_won(&self) -> bool {
        self.interval.0 > 0.0
    }

    fn is_lost(&self) -> bool {
        self.interval.1 < 0.0
    }

    fn row(&self) -> Vec<String> {
        let mut row = vec![self.name.clone()];
        row.extend(self.counts.iter().map(u64::to_string));
        row.push(format!("{:.1} %", self.share * 100.0));
        row.push(self.text.clone());
        row
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::Kind;
    use super::super::standings::Played;
    use super::*;
    use experiment::spec::Spec;
    use match_runner::game::{GameResult, Termination};

    /// A gauntlet of `x` against `y` in which these are the first player's points of each game.
    fn gauntlet(points: &[f64]) -> (Tournament, Standings) {
        let text = "format = \"gauntlet\"\n[each]\nnodes = 1\n[[engine]]\nname = \"x\"\ncmd = \"x\"\n[[engine]]\nname = \"y\"\ncmd = \"y\"\n";
        let tournament = Tournament::read(Kind::Ratings, &Spec::from_toml(text).unwrap()).unwrap();
        let mut standings = Standings::new(2, None);
        for (number, points) in points.iter().enumerate() {
            let white = number % 2;
            let result = match (*points, white) {
                (1.0, 0) | (0.0, 1) => GameResult::WhiteWins,
                (1.0 | 0.0, _) => GameResult::BlackWins,
                _ => GameResult::Draw,
            };
            standings.add(Played {
                number: number as u64,
                white,
                black: 1 - white,
                result,
                termination: Termination::Checkmate,
                course: None,
            });
        }
        (tournament, standings)
    }

    #[test]
    fn two_games_won_prove_nothing_and_22_do() {
        let (tournament, standings) = gauntlet(&[1.0, 1.0]);
        assert_eq!(words(&tournament, &standings), ["1 of 1 cannot be told apart from it at 95 %."]);
        let (tournament, standings) = gauntlet(&[1.0; 22]);
        assert_eq!(words(&tournament, &standings), ["x is stronger beyond the error than (1): y."]);
        let mut page = Page::new("t", "s");
        sections(&mut page, &tournament, &standings);
        assert!(page.finish().contains("<td>at least +202 with 95 % confidence</td>"));
        let (tournament, standings) = gauntlet(&[0.0; 22]);
        assert_eq!(words(&tournament, &standings), ["x is weaker beyond the error than (1): y."]);
    }
}
