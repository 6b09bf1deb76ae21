//! The report of a tuning run: where every parameter went.

use std::fmt::Write as _;

use super::config::{Iteration, Tuning};
use super::run;
use charts::html::Page;
use charts::plots::{LineChart, Point, Series};
use experiment::store::{Store, StoreError};

/// Where the values stand, one a line, with the options that set them.
pub fn table(tuning: &Tuning, results: &[Iteration]) -> String {
    let values = tuning.course(results).pop().unwrap_or_default();
    let mut text = format!("{} of {} iterations\n", results.len(), tuning.iterations);
    for (parameter, value) in tuning.parameters.iter().zip(&values) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:<28} {:>9} -> {value:>9.1}", parameter.name, parameter.start);
    }
    text.push_str(&options(tuning, &values));
    text
}

/// The values as flags of a match, which must confirm them.
fn options(tuning: &Tuning, values: &[f64]) -> String {
    let flags: Vec<String> = tuning
        .parameters
        .iter()
        .zip(values)
        .map(|(parameter, value)| format!("option.{}={:.0}", parameter.name, value))
        .collect();
    format!("to be confirmed by games: --engine name=tuned {}\n", flags.join(" "))
}

/// Draws the report.
pub fn render(tuning: &Tuning, store: &Store) -> Result<String, StoreError> {
    let results = run::played(&store.rows()?);
    let course = tuning.course(&results);
    let values = course.last().cloned().unwrap_or_default();
    let description = store.description()?;
    let mut page =
        Page::new(&tuning.name, &format!("spsa · {} · begun {}", tuning.heading(), description.created));
    page.conclusion(&[
        format!("{} of {} iterations are played.", results.len(), tuning.iterations),
        "What games at these limits moved the parameters to is a proposal: only a match against the old values shows \
         whether it is worth anything."
            .to_owned(),
    ]);
    page.heading("Where the parameters went");
    let curves: Vec<Series> = tuning
        .parameters
        .iter()
        .enumerate()
        .map(|(place, parameter)| Series {
            name: parameter.name.clone(),
            points: course
                .iter()
                .enumerate()
                .map(|(number, values)| {
                    Point::from((number as f64, (values[place] - parameter.start) / parameter.c_end))
                })
                .collect(),
            joined: true,
            dashed: false,
            colour: place,
        })
        .collect();
    let chart = LineChart {
        series: &curves,
        guides: &[],
        x_label: "iterations",
        y_label: "distance from the start, in units of c_end",
        doubling: false,
        caption: "The course of every parameter, in units of its last perturbation.",
    };
    page.figure(&chart.draw());
    let rows: Vec<Vec<String>> = tuning
        .parameters
        .iter()
        .zip(&values)
        .map(|(parameter, value)| {
            vec![
                parameter.name.clone(),
                parameter.start.to_string(),
                format!("{value:.1}"),
                format!("{} to {}", parameter.least, parameter.most),
                parameter.c_end.to_string(),
                parameter.r_end.to_string(),
            ]
        })
        .collect();
    page.table(&["parameter", "start", "now", "range", "c_end", "r_end"], &rows);
    page.heading("To confirm");
    page.preformatted(&options(tuning, &values));
    page.heading("Method");
    page.paragraph(&format!(
        "{}. In each iteration every parameter is perturbed up or down at random; the engine with these \
         values plays the one with the opposite values, and all parameters move a little towards the winner's \
         (simultaneous perturbation, Spall 1998).",
        tuning.heading()
    ));
    experiment::report::environment(&mut page, store)?;
    page.heading("To run it again");
    page.preformatted(&description.spec.to_toml());
    Ok(page.finish())
}
