//! The report of a study of speculation.

use std::fmt::Write as _;

use super::config::Study;
use super::analysis::{Encounter, Summary, summaries};
use charts::html::Page;
use experiment::store::{Store, StoreError};
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

/// Draws the report.
pub fn render(study: &Study, store: &Store) -> Result<String, StoreError> {
    let games = encounters(store)?;
    let description = store.description()?;
    let subtitle = format!("human · {} · begun {}", study.heading(), description.created);
    let mut page = Page::new(&study.name, &subtitle);
    page.conclusion(&[
        format!("{} of {} games are played.", games.len(), study.meetings().len()),
        "Simulated humans are models: what holds against them is a hint about humans, no more."
            .to_owned(),
    ]);
    page.heading("All ratings together");
    let rows = |rating| summaries(&games, rating).iter().map(cells).collect::<Vec<_>>();
    page.table(&HEADER, &rows(None));
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
