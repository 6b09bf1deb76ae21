//! The rounds of a Swiss or a knockout tournament: who met whom, with what result, and who won.

use std::fmt::Write as _;

use super::config::Tournament;
use super::standings::Standings;
use charts::html::Page;
use charts::svg::short;
use match_runner::schedule::Format;

/// Two engines in one round.
struct Meeting {
    first: usize,
    other: usize,
    /// Points of both.
    points: [f64; 2],
    /// Games played and games to play.
    played: usize,
    games: usize,
}

impl Meeting {
    fn is_over(&self) -> bool {
        self.played == self.games
    }

    /// Who goes on in a knockout: of equals the one that is earlier in the list.
    fn winner(&self) -> usize {
        match self.points[0].total_cmp(&self.points[1]) {
            std::cmp::Ordering::Less => self.other,
            std::cmp::Ordering::Equal => self.first.min(self.other),
            std::cmp::Ordering::Greater => self.first,
        }
    }
}

/// The rounds that are known by now; none where who meets whom does not depend on results.
fn rounds(tournament: &Tournament, standings: &Standings) -> Vec<Vec<Meeting>> {
    let points: std::collections::BTreeMap<u64, f64> =
        standings.games().map(|game| (game.number, game.result.points())).collect();
    let stages = tournament.schedule.stages(&|number| points.get(&number).copied());
    let round = |tasks: Vec<match_runner::schedule::GameTask>| {
        let mut meetings: Vec<Meeting> = Vec::new();
        for task in tasks {
            let meets = |meeting: &Meeting| {
                [(task.white, task.black), (task.black, task.white)].contains(&(meeting.first, meeting.other))
            };
            let place = meetings.iter().position(meets);
            let place = place.unwrap_or_else(|| {
                let (first, other) = (task.white, task.black);
                meetings.push(Meeting { first, other, points: [0.0; 2], played: 0, games: 0 });
                meetings.len() - 1
            });
            let meeting = &mut meetings[place];
            meeting.games += 1;
            if let Some(white) = points.get(&task.number) {
                meeting.played += 1;
                let own = if task.white == meeting.first { *white } else { 1.0 - white };
                meeting.points[0] += own;
                meeting.points[1] += 1.0 - own;
            }
        }
        meetings
    };
    stages.into_iter().map(round).collect()
}

/// One engine of a Swiss tournament.
struct Place {
    engine: usize,
    points: f64,
    /// The points of those it met (Buchholz).
    opponents: f64,
    byes: usize,
}

/// The table of a Swiss tournament, the best first.
fn places(tournament: &Tournament, rounds: &[Vec<Meeting>]) -> Vec<Place> {
    let count = tournament.engines.len();
    let mut points = vec![0.0; count];
    let mut byes = vec![0; count];
    for round in rounds {
        let mut met = vec![false; count];
        for meeting in round {
            for (side, engine) in [meeting.first, meeting.other].into_iter().enumerate() {
                met[engine] = true;
                points[engine] += meeting.points[side];
            }
        }
        // A bye counts as a won meeting.
        let over = round.iter().all(Meeting::is_over);
        let full = round.first().map_or(0, |meeting| meeting.games) as f64;
        for engine in (0..count).filter(|engine| over && !met[*engine]) {
            points[engine] += full;
            byes[engine] += 1;
        }
    }
    let mut places: Vec<Place> = (0..count)
        .map(|engine| {
            let met = rounds.iter().flatten().filter_map(|meeting| match engine {
                _ if meeting.first == engine => Some(meeting.other),
                _ if meeting.other == engine => Some(meeting.first),
                _ => None,
            });
            let opponents = met.map(|other| points[other]).sum();
            Place { engine, points: points[engine], opponents, byes: byes[engine] }
        })
        .collect();
    places.sort_by(|one, other| {
        other.points.total_cmp(&one.points).then(other.opponents.total_cmp(&one.opponents))
    });
    places
}

/// Who won, in words; nothing while it is open.
pub(super) fn words(tournament: &Tournament, standings: &Standings) -> Vec<String> {
    let rounds = rounds(tournament, standings);
    let name = |engine: usize| tournament.engines[engine].name.as_str();
    match tournament.schedule.format() {
        Format::Knockout => match rounds.last().map(Vec::as_slice) {
            Some([last]) if last.is_over() => {
                let (winner, loser) = (last.winner(), last.first + last.other - last.winner());
                let of = |engine: usize| short(last.points[usize::from(engine == last.other)]);
                let mut sentence = format!(
                    "{} won the knockout: {} to {} in the last meeting, against {}",
                    name(winner),
                    of(winner),
                    of(loser),
                    name(loser)
                );
                if last.points[0] == last.points[1] {
                    sentence.push_str("; of equals the one that is earlier in the list goes on");
                }
                // A few games decide a meeting; the ratings below say how sure they are.
                vec![sentence + "."]
            }
            _ => Vec::new(),
        },
        Format::Swiss(wanted) => {
            let over = rounds.len() as u64 == wanted && rounds.iter().flatten().all(Meeting::is_over);
            let places = places(tournament, &rounds);
            let Some(first) = places.first().filter(|_| over) else { return Vec::new() };
            let best: Vec<&str> = (places.iter())
                .filter(|place| place.points == first.points)
                .map(|place| name(place.engine))
                .collect();
            let shared = if best.len() > 1 { "share the first place" } else { "won the Swiss tournament" };
            vec![format!("{} {shared} with {} points of {wanted} rounds.", best.join(" and "), short(first.points))]
        }
        _ => Vec::new(),
    }
}

/// The table of a Swiss tournament, and the meetings of every round.
pub(super) fn sections(page: &mut Page, tournament: &Tournament, standings: &Standings) {
    let rounds = rounds(tournament, standings);
    if rounds.is_empty() {
        return;
    }
    let name = |engine: usize| tournament.engines[engine].name.clone();
    let is_knockout = tournament.schedule.format() == Format::Knockout;
    if !is_knockout {
        page.heading("Swiss table");
        let rows: Vec<Vec<String>> = (places(tournament, &rounds).iter().enumerate())
            .map(|(place, of)| {
                vec![
                    name(of.engine),
                    (place + 1).to_string(),
                    short(of.points),
                    short(of.opponents),
                    of.byes.to_string(),
                ]
            })
            .collect();
        page.table(&["engine", "place", "points", "points of opponents", "rounds without a game"], &rows);
    }
    page.heading("Rounds");
    let mut rows = Vec::new();
    for (number, round) in rounds.iter().enumerate() {
        for meeting in round {
            let mut score = format!("{} : {}", short(meeting.points[0]), short(meeting.points[1]));
            if !meeting.is_over() {
                // Writing to a string cannot fail.
                let _ = write!(score, ", {} of {} games", meeting.played, meeting.games);
            }
            let mut row = vec![name(meeting.first), (number + 1).to_string(), name(meeting.other), score];
            if is_knockout {
                row.push(if meeting.is_over() { name(meeting.winner()) } else { "-".to_owned() });
            }
            rows.push(row);
        }
    }
    let header = ["engine", "round", "opponent", "score", "goes on"];
    page.table(&header[..if is_knockout { 5 } else { 4 }], &rows);
}

#[cfg(test)]
mod tests {
    use super::super::config::Kind;
    use super::super::standings::Played;
    use super::*;
    use experiment::spec::Spec;
    use match_runner::game::{GameResult, Termination};

    /// Engines `a`, `b`, ... of which the earlier one always wins; played to the end.
    fn played(format: &str, engines: usize) -> (Tournament, Standings) {
        let names = ["a", "b", "c", "d", "e"];
        let mut list = String::new();
        for name in &names[..engines] {
            write!(list, "[[engine]]\nname = \"{name}\"\ncmd = \"x\"\n").unwrap();
        }
        let text = format!("format = \"{format}\"\npairs = 1\n[each]\nnodes = 1\n{list}");
        let tournament = Tournament::read(Kind::Ratings, &Spec::from_toml(&text).unwrap()).unwrap();
        let mut standings = Standings::new(engines, None);
        loop {
            let known: std::collections::BTreeMap<u64, f64> =
                standings.games().map(|game| (game.number, game.result.points())).collect();
            let stages = tournament.schedule.stages(&|number| known.get(&number).copied());
            let missing: Vec<_> =
                stages.into_iter().flatten().filter(|task| !known.contains_key(&task.number)).collect();
            if missing.is_empty() {
                return (tournament, standings);
            }
            for task in missing {
                let result =
                    if task.white < task.black { GameResult::WhiteWins } else { GameResult::BlackWins };
                let (number, white, black) = (task.number, task.white, task.black);
                standings.add(Played { number, white, black, result, termination: Termination::Checkmate, course: None });
            }
        }
    }

    fn html(tournament: &Tournament, standings: &Standings) -> String {
        let mut page = Page::new("t", "s");
        sections(&mut page, tournament, standings);
        page.finish()
    }

    #[test]
    fn a_knockout_names_its_winner_and_every_meeting() {
        let (tournament, standings) = played("knockout", 5);
        assert_eq!(words(&tournament, &standings), ["a won the knockout: 2 to 0 in the last meeting, against b."]);
        let html = html(&tournament, &standings);
        for row in ["<td>b</td><td>1</td><td>e</td><td>2 : 0</td><td>b</td>", "<td>3</td>"] {
            assert!(html.contains(row), "{row}: {html}");
        }
        assert_eq!(html.matches("<tr><td>").count(), 4, "4 meetings leave 1 of 5");
    }

    #[test]
    fn a_swiss_table_has_points_of_opponents_and_rounds_without_a_game() {
        let (tournament, standings) = played("swiss", 5);
        assert_eq!(words(&tournament, &standings), ["a won the Swiss tournament with 6 points of 3 rounds."]);
        let html = html(&tournament, &standings);
        assert!(html.contains("<td>a</td><td>1</td><td>6</td>"), "{html}");
        // 5 places, and 3 rounds of 2 meetings.
        assert_eq!(html.matches("<tr><td>").count(), 11, "{html}");
    }

    #[test]
    fn other_formats_have_no_rounds() {
        let (tournament, standings) = played("roundrobin", 3);
        assert!(words(&tournament, &standings).is_empty());
        assert!(!html(&tournament, &standings).contains("<h2>"));
    }
}
