//! The report of a study of speculation.

use std::fmt::Write as _;

use super::config::Study;
use super::analysis::{Encounter, Summary, summaries};
use charts::html::Page;
use charts::plots::{Guide, LineChart, Point, Series};
use experiment::store::{Store, StoreError};
use opponent::arena::Arm;
use stats::bootstrap::Interval;

const HEADER: [&str; 8] = [
    "arm",
    "games",
    "wins",
    "plies to win",
    "ratio to plain (95 %)",
    "points less plain's (95 %)",
    "conceded a game",
    "EAS-like",
];

fn cells(summary: &Summary) -> Vec<String> {
    let told = |found: Option<Interval>, write: &dyn Fn(f64) -> String| {
        found.map_or("-".to_owned(), |found| {
            format!("{} ({} to {})", write(found.estimate), write(found.low), write(found.high))
        })
    };
    vec![
        summary.arm.name().to_owned(),
        summary.games.to_string(),
        format!("{:.1} %", 100.0 * summary.wins),
        format!("{:.1}", summary.plies),
        told(summary.ratio, &|value| format!("{value:.3}")),
        told(summary.gain, &|value| format!("{:+.1} %", 100.0 * value)),
        format!("{:.3}", summary.spent),
        format!("{:.0}", summary.aggressiveness),
    ]
}

fn encounters(store: &Store) -> Result<Vec<Encounter>, StoreError> {
    Ok(store.rows()?.iter().filter_map(Encounter::read).collect())
}

/// The same in a few lines of text.
pub fn table(store: &Store) -> Result<String, StoreError> {
    let mut text = HEADER.join("\t") + "\n";
    for summary in summaries(&encounters(store)?, None) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", cells(&summary).join("\t"));
    }
    Ok(text)
}

/// What an arm's ratio says, in a sentence; nothing for plain search itself.
fn words(summary: &Summary) -> Option<String> {
    let ratio = summary.ratio.filter(|_| summary.arm != Arm::Plain)?;
    let verdict = if ratio.high < 1.0 {
        "it wins sooner"
    } else if ratio.low > 1.0 {
        "it wins later"
    } else {
        "no difference is shown"
    };
    Some(format!(
        "{} takes {:.2} times as many plies to a win as plain search (95 % interval {:.2} to {:.2}): {verdict}.",
        summary.arm.name(),
        ratio.estimate,
        ratio.low,
        ratio.high
    ))
}

/// Plies to a win beside plain search, by the rating of the simulated humans.
fn curves(study: &Study, games: &[Encounter]) -> String {
    let mut series: Vec<Series> = Vec::new();
    for rating in study.ratings.iter().map(|rating| rating.points()) {
        for summary in summaries(games, Some(rating)) {
            let Some(ratio) = summary.ratio.filter(|_| summary.arm != Arm::Plain) else { continue };
            let point =
                Point { x: f64::from(rating), y: ratio.estimate, interval: Some((ratio.low, ratio.high)) };
            let name = summary.arm.name();
            match series.iter_mut().find(|series| series.name == name) {
                Some(series) => series.points.push(point),
                None => series.push(Series {
                    name: name.to_owned(),
                    points: vec![point],
                    joined: true,
                    dashed: false,
                    colour: series.len(),
                }),
            }
        }
    }
    if series.is_empty() {
        return String::new();
    }
    LineChart {
        series: &series,
        guides: &[Guide { at: 1.0, name: "plain search".to_owned() }],
        x_label: "rating of the simulated humans",
        y_label: "plies to a win, times plain search",
        doubling: false,
        caption: "Plies to a win beside plain search in the same games, with 95 % intervals; below the dotted line an arm wins sooner.",
    }
    .draw()
}

/// Draws the report.
pub fn render(study: &Study, store: &Store) -> Result<String, StoreError> {
    let games = encounters(store)?;
    let description = store.description()?;
    let subtitle = format!("human · {} · begun {}", study.heading(), description.created);
    let mut page = Page::new(&study.name, &subtitle);
    let together = summaries(&games, None);
    let mut sentences = vec![format!("{} of {} games are played.", games.len(), study.meetings().len())];
    sentences.extend(together.iter().filter_map(words));
    sentences.push("Simulated humans are models: what holds against them is a hint about humans, no more.".to_owned());
    page.conclusion(&sentences);
    page.heading("All ratings together");
    let rows = |rating| summaries(&games, rating).iter().map(cells).collect::<Vec<_>>();
    page.table(&HEADER, &rows(None));
    page.figure(&curves(study, &games));
    for rating in &study.ratings {
        page.heading(&format!("Simulated humans rated {}", rating.points()));
        page.table(&HEADER, &rows(Some(rating.points())));
    }
    page.heading("Method");
    page.paragraph(&format!(
        "{}. Every arm meets the same simulated humans from the same openings with both colours and the same seeds; nothing is replayed. A game without a \
         win counts 200 plies. Intervals are bootstraps over openings; an arm is compared with plain search over the games both have \
         played. Concessions are expected points given away to provoke mistakes; EAS-like is the score of 'lab eas' with the arms as players.",
        study.heading()
    ));
    experiment::report::environment(&mut page, store)?;
    page.heading("To run it again");
    page.paragraph("Save this as FILE.toml and run 'tabiya lab human FILE.toml'.");
    page.preformatted(&description.spec.to_toml());
    Ok(page.finish())
}
