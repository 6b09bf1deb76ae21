//! Reports of studies: what they share, and the suite's own part.

use super::analysis::{self, Mates, Solved};
use super::config::{Kind, Study};
use super::rows::Measured;
use super::{ablation_report as ablation, scaling_report as scaling};
use charts::html::Page;
use charts::plots::{self, LineChart, Point, Series, Stack};
use charts::svg::short;
use experiment::store::{Store, StoreError};

/// Draws the report of the rows a store holds.
pub fn render(study: &Study, store: &Store) -> Result<String, StoreError> {
    let rows: Vec<Measured> = store.rows()?.iter().filter_map(Measured::read).collect();
    let description = store.description()?;
    let subtitle = format!("{} · {} · begun {}", study.kind.as_str(), study.heading(), description.created);
    let mut page = Page::new(&study.name, &subtitle);
    match study.kind {
        Kind::Suite => suite(&mut page, study, &rows),
        Kind::TimeToDepth => scaling::write(&mut page, study, &rows),
        Kind::Ablation => ablation::write(&mut page, study, &rows),
    }
    page.heading("Method");
    let faults = rows.iter().filter(|row| row.fault.is_some()).count();
    page.paragraph(&format!(
        "{}. The table is cleared before every search, and searches are ordered repetition by repetition so that a slow hour \
         of the machine hits every variant alike. {} of {} searches are done; {faults} failed.",
        study.heading(),
        rows.len(),
        study.searches().len()
    ));
    experiment::report::environment(&mut page, store)?;
    page.heading("To run it again");
    page.paragraph(&format!(
        "Save this as FILE.toml and run 'tabiya lab {} FILE.toml'.",
        study.kind.as_str()
    ));
    page.preformatted(&description.spec.to_toml());
    Ok(page.finish())
}

/// The same in a few lines of text.
pub fn table(study: &Study, rows: &[Measured]) -> String {
    match study.kind {
        Kind::Suite => suite_table(study, rows),
        Kind::TimeToDepth => scaling::table(study, rows),
        Kind::Ablation => ablation::table(study, rows),
    }
}

fn suite_table(study: &Study, rows: &[Measured]) -> String {
    let mut text = String::new();
    for series in study.series() {
        let solved = analysis::solved(rows, &series);
        text.push_str(&(suite_sentence(&solved) + "\n"));
    }
    text
}

fn suite_sentence(solved: &Solved) -> String {
    let share = 100.0 * solved.solved as f64 / solved.asked.max(1) as f64;
    let mates = solved.mates.as_ref().map_or_else(String::new, mates_sentence);
    format!(
        "{} solved {} of {} ({share:.1} %, 95 % interval {:.1} to {:.1}), {} points{mates}",
        solved.series,
        solved.solved,
        solved.asked,
        solved.interval.0 * 100.0,
        solved.interval.1 * 100.0,
        solved.points
    )
}

fn mates_sentence(mates: &Mates) -> String {
    let contradicted = if mates.contradicted.is_empty() {
        "none that contradicts what is known".to_owned()
    } else {
        format!(
            "{} that contradict what is known (positions {})",
            mates.contradicted.len(),
            mates.contradicted.join(", ")
        )
    };
    format!(
        "; mates: {} of the known length, {} longer, {} not seen, {contradicted}",
        mates.known, mates.longer, mates.none
    )
}

fn suite(page: &mut Page, study: &Study, rows: &[Measured]) {
    let results: Vec<Solved> = study.series().iter().map(|series| analysis::solved(rows, series)).collect();
    let mut sentences: Vec<String> =
        results.iter().map(|solved| format!("{}.", suite_sentence(solved))).collect();
    if let [first, second] = results.as_slice() {
        let apart = first.interval.0 > second.interval.1 || second.interval.0 > first.interval.1;
        sentences.push(if apart {
            "Their intervals do not overlap: the difference is real for problems of this kind.".to_owned()
        } else {
            "Their intervals overlap: these problems do not tell the two apart.".to_owned()
        });
    }
    page.conclusion(&sentences);
    page.heading("Solutions");
    let stacks: Vec<Stack> = results
        .iter()
        .map(|solved| {
            let unsolved = (solved.asked - solved.solved) as f64;
            Stack { label: solved.series.clone(), parts: vec![solved.solved as f64, unsolved] }
        })
        .collect();
    page.figure(&plots::stacked(
        &stacks,
        &["solved", "not solved"],
        &[2, 1],
        "share of positions",
        "Positions solved at the limit given.",
    ));
    let curves: Vec<Series> = results
        .iter()
        .enumerate()
        .map(|(colour, solved)| {
            let points =
                solved.times.iter().enumerate().map(|(count, time)| Point::from((*time, (count + 1) as f64)));
            Series {
                name: solved.series.clone(),
                points: points.collect(),
                joined: true,
                dashed: false,
                colour,
            }
        })
        .collect();
    let chart = LineChart {
        series: &curves,
        guides: &[],
        x_label: "milliseconds",
        y_label: "positions solved",
        doubling: false,
        caption: "How many positions were solved for good by a given time.",
    };
    page.figure(&chart.draw());
    page.heading("Not solved");
    let unsolved: Vec<Vec<String>> = rows
        .iter()
        .filter(|row| !row.solved)
        .take(60)
        .map(|row| {
            let answer = row.fault.clone().unwrap_or_else(|| row.best.clone());
            vec![row.position.clone(), row.series.clone(), answer, short(row.depth)]
        })
        .collect();
    page.table(&["position", "engine", "answer", "depth"], &unsolved);
    let left = rows.iter().filter(|row| !row.solved).count().saturating_sub(60);
    if left > 0 {
        page.paragraph(&format!("And {left} more; 'lab export DIR csv' lists all."));
    }
}
