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
            " Not drawn: {left_out} beyond {WIDEST} Elo, or without a game that could have gone either way."
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
    /// The difference and its error; `None` where somebody won everything.
    elo: Option<(f64, f64)>,
}

impl Meeting {
    fn of(tournament: &Tournament, standings: &Standings, other: usize) -> Option<Self> {
        let games = standings.versus(0, other);
        if games.total() == 0 {
            return None;
        }
        let estimate = standings.pairs(0, other).estimate().or_else(|| games.estimate());
        let elo = estimate
            .map(|estimate| (estimate.elo(), estimate.elo_error()))
            .filter(|(elo, error)| elo.is_finite() && error.is_finite());
        let share = games.points() / games.total() as f64;
        let settled = games.points() == 0.0 || games.losses + games.draws == 0;
        Some(Self {
            name: tournament.engines[other].name.clone(),
            counts: [games.total(), games.wins, games.draws, games.losses],
            share,
            elo: elo.filter(|_| !settled),
        })
    }

    fn is_won(&self) -> bool {
        self.elo.map_or(self.share > 0.5, |(elo, error)| elo > error)
    }

    fn is_lost(&self) -> bool {
        self.elo.map_or(self.share < 0.5, |(elo, error)| elo < -error)
    }

    fn row(&self) -> Vec<String> {
        let mut row = vec![self.name.clone()];
        row.extend(self.counts.iter().map(u64::to_string));
        row.push(format!("{:.1} %", self.share * 100.0));
        row.push(match self.elo {
            Some((elo, error)) => format!("{elo:+.0} ± {error:.0}"),
            None if self.share > 0.5 => "won every game".to_owned(),
            None => "lost every game".to_owned(),
        });
        row
    }
}
