//! Strength over threads: the tables and figures of Säfström and Yllmark 2025, sections 6.1.2 and 7.1, with intervals beside them.

use chess::Color;

use super::config::{Rung, Tournament};
use super::standings::Standings;
use super::table;
use charts::html::Page;
use charts::plots::{self, LineChart, Point, Series, Stack};
use stats::elo;
use stats::proportion::wilson_of_points;
use stats::regression::{self, Line, Shape};
use stats::score::Games;

/// The K-factors of Säfström and Yllmark 2025.
const FACTORS: [f64; 3] = [10.0, 20.0, 30.0];
/// How far they extrapolate.
const MOST_THREADS: u32 = 1024;

/// One rung with everything known about it.
struct Step<'a> {
    rung: &'a Rung,
    games: Games,
    by_factor: [f64; 3],
    /// Maximum likelihood, with the half-width of its interval.
    rating: Option<(f64, f64)>,
}

fn steps<'a>(tournament: &'a Tournament, standings: &Standings) -> Vec<Step<'a>> {
    let list = table::rating_list(tournament, standings).ok();
    let step = |rung: &'a Rung| {
        let mut series = Vec::new();
        let mut games = Games::default();
        for played in standings.counted() {
            let (side, opponent) = if played.white == rung.engine {
                (Color::White, played.black)
            } else if played.black == rung.engine {
                (Color::Black, played.white)
            } else {
                continue;
            };
            let outcome = played.result.for_side(side);
            games.add(outcome);
            series.extend(tournament.engines[opponent].rating.map(|rating| (rating, outcome.score())));
        }
        let rating = list
            .as_ref()
            .map(|(list, _)| &list.players[rung.engine])
            .map(|rating| (rating.elo, rating.error));
        let by_factor = FACTORS.map(|k| elo::k_factor_rating(tournament.initial, &series, k));
        Step { rung, games, by_factor, rating }
    };
    tournament.ladder.iter().map(step).collect()
}

fn subjects(steps: &[Step<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for step in steps {
        if !names.contains(&step.rung.subject) {
            names.push(step.rung.subject.clone());
        }
    }
    names
}

fn fit(steps: &[Step<'_>], subject: &str, value: impl Fn(&Step<'_>) -> Option<f64>) -> Option<Line> {
    let own = steps.iter().filter(|step| step.rung.subject == subject);
    let points: Vec<(f64, f64)> =
        own.filter_map(|step| Some((f64::from(step.rung.threads), value(step)?))).collect();
    regression::fit(Shape::Logarithmic, &points)
}

/// The conclusion.
pub(super) fn words(tournament: &Tournament, standings: &Standings) -> Vec<String> {
    let steps = steps(tournament, standings);
    let list = table::rating_list(tournament, standings).ok().map(|(list, _)| list);
    let mut sentences = Vec::new();
    for subject in subjects(&steps) {
        let own: Vec<&Rung> =
            steps.iter().map(|step| step.rung).filter(|rung| rung.subject == subject).collect();
        let (Some(first), Some(last)) = (own.first(), own.last()) else { continue };
        // Ratings of one list share white's advantage, so their errors are not quite independent.
        let difference = list.as_ref().and_then(|list| list.difference(last.engine, first.engine));
        let Some((gain, error)) = difference else { continue };
        let comparison = if gain.abs() > error { "significant at 95 %" } else { "not significant at 95 %" };
        sentences.push(format!(
            "{subject} gains {gain:+.0} ± {error:.0} Elo from {} to {} threads: {comparison}.",
            first.threads, last.threads
        ));
    }
    if sentences.is_empty() {
        sentences.push("There are not enough games yet to say how strength grows with threads.".to_owned());
    }
    sentences
}

/// Tables and curves.
pub(super) fn sections(page: &mut Page, tournament: &Tournament, standings: &Standings) {
    let steps = steps(tournament, standings);
    page.heading("Strength over threads");
    let rows: Vec<Vec<String>> = steps
        .iter()
        .map(|step| {
            let total = step.games.total().max(1) as f64;
            let mut row = vec![
                step.rung.subject.clone(),
                step.rung.threads.to_string(),
                step.games.total().to_string(),
                format!("{:.1} %", 100.0 * step.games.points() / total),
            ];
            row.extend(step.by_factor.map(|rating| format!("{rating:.0}")));
            row.push(
                step.rating.map_or_else(|| "-".to_owned(), |(elo, error)| format!("{elo:.0} ± {error:.0}")),
            );
            row
        })
        .collect();
    page.table(
        &["engine", "threads", "games", "score", "K = 10", "K = 20", "K = 30", "maximum likelihood"],
        &rows,
    );
    page.paragraph(&format!(
        "The K-factor ratings follow Säfström and Yllmark 2025, formulas 4.1 and 4.2, game by game from {:.0}; they depend on that start and on the order \
         of games, which is why the last column is the one to read.",
        tournament.initial
    ));
    page.figure(&rating_curves(&steps, None));
    let stacks: Vec<Stack> = steps
        .iter()
        .map(|step| Stack {
            label: format!("{} {}t", step.rung.subject, step.rung.threads),
            parts: vec![step.games.wins as f64, step.games.draws as f64, step.games.losses as f64],
        })
        .collect();
    page.figure(&plots::stacked(
        &stacks,
        &["won", "drawn", "lost"],
        &[2, 7, 1],
        "share of games",
        "Games against the whole pool.",
    ));
    by_opponent(page, tournament, standings);
    page.heading("Ratings by K-factor");
    for factor in 0..FACTORS.len() {
        page.figure(&rating_curves(&steps, Some(factor)));
    }
    fits(page, &steps);
}

/// The share of points in percent, with its 95 % interval.
fn share(games: &Games) -> (f64, (f64, f64)) {
    let total = games.total() as f64;
    let (low, high) = wilson_of_points(games.points(), total);
    (100.0 * games.points() / total.max(1.0), (100.0 * low, 100.0 * high))
}

/// What each rung did against each opponent: figures 6.4 to 6.7 of the study. Nothing with a single opponent.
fn by_opponent(page: &mut Page, tournament: &Tournament, standings: &Standings) {
    let opponents = tournament.ladder.len()..tournament.engines.len();
    if opponents.len() < 2 {
        return;
    }
    page.heading("Games by opponent");
    let mut rows = Vec::new();
    let mut figures = String::new();
    for opponent in opponents {
        let name = &tournament.engines[opponent].name;
        let mut stacks = Vec::new();
        let mut scores: Vec<Series> = Vec::new();
        for rung in &tournament.ladder {
            let games = standings.versus(rung.engine, opponent);
            if games.total() == 0 {
                continue;
            }
            let (score, interval) = share(&games);
            let counts = [games.total(), games.wins, games.draws, games.losses].map(|count| count.to_string());
            let mut row = vec![rung.subject.clone(), rung.threads.to_string(), name.clone()];
            row.extend(counts);
            row.push(format!("{score:.1} %"));
            row.push(format!("{:.1} to {:.1} %", interval.0, interval.1));
            rows.push(row);
            stacks.push(Stack {
                label: format!("{} {}t", rung.subject, rung.threads),
                parts: vec![games.wins as f64, games.draws as f64, games.losses as f64],
            });
            let point = Point { x: f64::from(rung.threads), y: score, interval: Some(interval) };
            match scores.iter_mut().find(|series| series.name == rung.subject) {
                Some(series) => series.points.push(point),
                None => scores.push(Series {
                    name: rung.subject.clone(),
                    points: vec![point],
                    joined: true,
                    dashed: false,
                    colour: scores.len(),
                }),
            }
        }
        let caption = format!("Score against {name} by number of threads, with 95 % intervals.");
        let chart = LineChart {
            series: &scores,
            guides: &[],
            x_label: "threads",
            y_label: "score (%)",
            doubling: true,
            caption: &caption,
        };
        figures.push_str(&chart.draw());
        let caption = format!("Games won, drawn and lost against {name}.");
        let colours = [2, 7, 1];
        figures.push_str(&plots::stacked(&stacks, &["won", "drawn", "lost"], &colours, "share of games", &caption));
    }
    let header =
        ["engine", "threads", "opponent", "games", "won", "drawn", "lost", "score", "95 % interval"];
    page.table(&header, &rows);
    page.figure(&figures);
}

/// Ratings over threads with their logarithmic fits: by one of the K-factors, or of maximum likelihood.
fn rating_curves(steps: &[Step<'_>], factor: Option<usize>) -> String {
    let value = |step: &Step<'_>| match factor {
        Some(factor) => Some(step.by_factor[factor]),
        None => step.rating.map(|rating| rating.0),
    };
    let mut series = Vec::new();
    // Few rungs have none.
    let mut fits = "";
    for (colour, subject) in subjects(steps).iter().enumerate() {
        let own = || steps.iter().filter(|step| step.rung.subject == *subject);
        let points = own().filter_map(|step| {
            let interval = step.rating.filter(|_| factor.is_none());
            Some(Point {
                x: f64::from(step.rung.threads),
                y: value(step)?,
                interval: interval.map(|(elo, error)| (elo - error, elo + error)),
            })
        });
        series.push(Series {
            name: subject.clone(),
            points: points.collect(),
            joined: true,
            dashed: false,
            colour,
        });
        if let Some(line) = fit(steps, subject, value) {
            fits = " and their logarithmic fits";
            let points = own().map(|step| on_line(&line, step.rung.threads)).collect();
            let name = format!("{subject}, logarithmic fit");
            series.push(Series { name, points, joined: true, dashed: true, colour });
        }
    }
    let caption = match factor {
        Some(factor) => format!(
            "Ratings by number of threads with K = {}{fits}; no interval is known for such a rating.",
            FACTORS[factor]
        ),
        None => format!(
            "Maximum-likelihood ratings with 95 % intervals, anchored by the pool's known ratings{fits}."
        ),
    };
    LineChart {
        series: &series,
        guides: &[],
        x_label: "threads",
        y_label: "rating (Elo)",
        doubling: true,
        caption: &caption,
    }
    .draw()
}

fn on_line(line: &Line, threads: u32) -> Point {
    Point::from((f64::from(threads), line.at(Shape::Logarithmic, f64::from(threads))))
}

/// The fits of maximum likelihood drawn out to as many threads as the study goes; empty without a fit.
fn extrapolation(steps: &[Step<'_>]) -> String {
    let mut series = Vec::new();
    for (colour, subject) in subjects(steps).iter().enumerate() {
        let Some(line) = fit(steps, subject, |step| step.rating.map(|rating| rating.0)) else { continue };
        let own = || steps.iter().filter(|step| step.rung.subject == *subject);
        let points = own().filter_map(|step| {
            let (elo, error) = step.rating?;
            let interval = Some((elo - error, elo + error));
            Some(Point { x: f64::from(step.rung.threads), y: elo, interval })
        });
        series.push(Series {
            name: subject.clone(),
            points: points.collect(),
            joined: false,
            dashed: false,
            colour,
        });
        let counts = (0..).map(|power| 1_u32 << power).take_while(|count| *count <= MOST_THREADS);
        series.push(Series {
            name: format!("{subject}, extrapolated"),
            points: counts.map(|count| on_line(&line, count)).collect(),
            joined: true,
            dashed: true,
            colour,
        });
    }
    if series.is_empty() {
        return String::new();
    }
    LineChart {
        series: &series,
        guides: &[],
        x_label: "threads",
        y_label: "rating (Elo)",
        doubling: true,
        caption: "The logarithmic fits of the maximum-likelihood ratings drawn out to 1,024 threads; only the dots are measured.",
    }
    .draw()
}

fn fits(page: &mut Page, steps: &[Step<'_>]) {
    let mut rows = Vec::new();
    for subject in subjects(steps) {
        let mut add = |name: &str, line: Option<Line>| {
            let Some(line) = line else { return };
            let mut row = vec![
                format!("{subject}, {name}"),
                format!("{:.3} ln N {:+.1}", line.slope, line.intercept),
                format!("{:.4}", line.r_squared),
            ];
            row.extend(
                [8.0, 16.0, 64.0, 256.0, 1024.0].map(|threads| format!("{:.0}", line.at(Shape::Logarithmic, threads))),
            );
            rows.push(row);
        };
        add("maximum likelihood", fit(steps, &subject, |step| step.rating.map(|rating| rating.0)));
        for (place, factor) in FACTORS.iter().enumerate() {
            add(&format!("K = {factor}"), fit(steps, &subject, |step| Some(step.by_factor[place])));
        }
    }
    if rows.is_empty() {
        return;
    }
    page.heading("Logarithmic fits and what they would predict");
    let header =
        ["series", "fit", "R²", "8 threads", "16 threads", "64 threads", "256 threads", "1,024 threads"];
    page.table(&header, &rows);
    page.paragraph(
        "A prediction beyond the measured thread counts is an extrapolation of a line through few points.",
    );
    page.figure(&extrapolation(steps));
}

#[cfg(test)]
mod tests {
    use super::super::config::Kind;
    use super::super::standings::Played;
    use super::*;
    use experiment::spec::Spec;
    use match_runner::game::{GameResult, Termination};

    /// 3 numbers of threads against 2 opponents, more wins with more threads.
    fn ladder() -> (Tournament, Standings) {
        let text = "threads = \"1,2,4\"\npairs = 4\n[each]\nnodes = 5\n[[subject]]\nname = \"h\"\ncmd = \"x\"\n\
             [[engine]]\nname = \"p\"\ncmd = \"y\"\nrating = 2900\n[[engine]]\nname = \"q\"\ncmd = \"z\"\nrating = 2800\n";
        let tournament = Tournament::read(Kind::ThreadsElo, &Spec::from_toml(text).unwrap()).unwrap();
        let mut standings = Standings::new(tournament.engines.len(), None);
        for number in 0..tournament.schedule.games() {
            let task = tournament.schedule.task(number).unwrap();
            let subject = task.white.min(task.black);
            // 1, 2 and 3 of 4 pairs are won, one is lost, the others are drawn.
            let result = match (task.round, task.white == subject) {
                (round, white) if round <= subject as u64 => {
                    if white { GameResult::WhiteWins } else { GameResult::BlackWins }
                }
                (3, true) => GameResult::BlackWins,
                (3, false) => GameResult::WhiteWins,
                _ => GameResult::Draw,
            };
            let (white, black) = (task.white, task.black);
            standings.add(Played { number, white, black, result, termination: Termination::Checkmate, course: None });
        }
        (tournament, standings)
    }

    #[test]
    fn every_figure_of_the_study_is_drawn() {
        let (tournament, standings) = ladder();
        let mut page = Page::new("t", "s");
        sections(&mut page, &tournament, &standings);
        let html = page.finish();
        for part in [
            "Ratings by number of threads with K = 10 and",
            "with K = 20 and",
            "with K = 30 and",
            "Score against p by number of threads",
            "Games won, drawn and lost against q.",
            "drawn out to 1,024 threads",
            ">rating (Elo)</text>",
            ">score (%)</text>",
            ">1024</text>",
            "<td>h</td><td>4</td><td>q</td><td>8</td><td>6</td><td>0</td><td>2</td><td>75.0 %</td>",
        ] {
            assert!(html.contains(part), "{part}");
        }
    }

    #[test]
    fn a_gain_has_the_interval_of_the_difference() {
        let (tournament, standings) = ladder();
        let words = words(&tournament, &standings);
        let (gain, error) = table::rating_list(&tournament, &standings).unwrap().0.difference(2, 0).unwrap();
        let said = format!("h gains {gain:+.0} ± {error:.0} Elo from 1 to 4 threads: ");
        assert!(words[0].starts_with(&said), "{words:?}");
    }
}
