//! Strength over threads: the tables and figures of Säfström and Yllmark 2025, sections 6.1.2 and 7.1, with intervals beside them.

use chess::Color;

use super::config::{Rung, Tournament};
use super::standings::Standings;
use super::table;
use charts::html::Page;
use charts::plots::{self, LineChart, Point, Series, Stack};
use stats::elo;
use stats::regression::{self, Line, Shape};
use stats::score::Games;

/// The K-factors of Säfström and Yllmark 2025.
const FACTORS: [f64; 3] = [10.0, 20.0, 30.0];

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
        for played in standings.games() {
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
    let mut sentences = Vec::new();
    for subject in subjects(&steps) {
        let own: Vec<&Step<'_>> = steps.iter().filter(|step| step.rung.subject == subject).collect();
        let (Some(first), Some(last)) = (own.first(), own.last()) else { continue };
        let (Some((low, low_error)), Some((high, high_error))) = (first.rating, last.rating) else {
            continue;
        };
        let (gain, error) = (high - low, low_error.hypot(high_error));
        let comparison = if gain.abs() > error { "significant at 95 %" } else { "not significant at 95 %" };
        sentences.push(format!(
            "{subject} gains {gain:+.0} ± {error:.0} Elo from {} to {} threads: {comparison}.",
            first.rung.threads, last.rung.threads
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
    page.figure(&curves(&steps));
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
        "Games against the whole pool.",
    ));
    fits(page, &steps);
}

fn curves(steps: &[Step<'_>]) -> String {
    let mut series = Vec::new();
    for (colour, subject) in subjects(steps).iter().enumerate() {
        let own = || steps.iter().filter(|step| step.rung.subject == *subject);
        let points = own().filter_map(|step| {
            let (elo, error) = step.rating?;
            Some(Point {
                x: f64::from(step.rung.threads),
                y: elo,
                interval: Some((elo - error, elo + error)),
            })
        });
        series.push(Series {
            name: subject.clone(),
            points: points.collect(),
            joined: true,
            dashed: false,
            colour,
        });
        if let Some(line) = fit(steps, subject, |step| step.rating.map(|rating| rating.0)) {
            let points = own()
                .map(|step| f64::from(step.rung.threads))
                .map(|threads| Point::from((threads, line.at(Shape::Logarithmic, threads))))
                .collect();
            series.push(Series {
                name: format!("{subject}, logarithmic fit"),
                points,
                joined: true,
                dashed: true,
                colour,
            });
        }
    }
    LineChart {
        series: &series,
        guides: &[],
        x_label: "threads",
        y_label: "rating",
        doubling: true,
        caption: "Maximum-likelihood ratings with 95 % intervals, anchored by the pool's known ratings.",
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
    page.table(&[
            "series",
            "fit",
            "R²",
            "8 threads",
            "16 threads",
            "64 threads",
            "256 threads",
            "1,024 threads",
        ], &rows);
    page.paragraph(
        "A prediction beyond the measured thread counts is an extrapolation of a line through few points.",
    );
}
