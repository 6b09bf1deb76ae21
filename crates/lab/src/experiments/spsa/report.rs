//! The report of a tuning run: where every parameter went.

use std::fmt::Write as _;

use super::config::{Iteration, Tuning};
use super::run;
use charts::html::Page;
use charts::plots::{LineChart, Point, Series};
use charts::svg::COLOURS;
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

/// The course of the parameters that ended farthest from their start, as many as there are colours, and the caption.
fn curves(tuning: &Tuning, course: &[Vec<f64>]) -> (Vec<Series>, String) {
    let distance =
        |values: &[f64], place: usize| (values[place] - tuning.parameters[place].start) / tuning.parameters[place].c_end;
    let mut places: Vec<usize> = (0..tuning.parameters.len()).collect();
    if let Some(last) = course.last() {
        places.sort_by(|one, other| distance(last, *other).abs().total_cmp(&distance(last, *one).abs()));
    }
    let left_out = places.len().saturating_sub(COLOURS);
    places.truncate(COLOURS);
    let series = (places.iter().enumerate())
        .map(|(colour, &place)| Series {
            name: tuning.parameters[place].name.clone(),
            points: (course.iter().enumerate())
                .map(|(number, values)| Point::from((number as f64, distance(values, place))))
                .collect(),
            joined: true,
            dashed: false,
            colour,
        })
        .collect();
    let caption = if left_out == 0 {
        "The course of every parameter, in units of its last perturbation.".to_owned()
    } else {
        format!(
            "The course of the {COLOURS} parameters that moved farthest, in units of their last perturbation; the other {left_out} stayed nearer \
             to their start and are in the table."
        )
    };
    (series, caption)
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
    let (curves, caption) = curves(tuning, &course);
    let chart = LineChart {
        series: &curves,
        guides: &[],
        x_label: "iterations",
        y_label: "distance from the start, in units of c_end",
        doubling: false,
        caption: &caption,
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
                charts::svg::short(parameter.r_end),
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

#[cfg(test)]
mod tests {
    use super::super::step::Parameter;
    use super::*;
    use experiment::spec::Spec;

    /// More series than colours cannot be told apart.
    #[test]
    fn no_two_curves_share_a_colour_and_the_farthest_are_drawn() {
        let mut text = "iterations = 1\n[each]\nnodes = 10\n".to_owned();
        for number in 0..COLOURS + 5 {
            let _ = write!(text, "[[parameter]]\nname = \"p{number}\"\nstart = 50\nleast = 0\nmost = 100\nc_end = 10\n");
        }
        let tuning = Tuning::recall(&Spec::from_toml(&text).unwrap()).unwrap();
        let moved: Vec<f64> = (tuning.parameters.iter().enumerate())
            .map(|(place, parameter): (usize, &Parameter)| parameter.start - place as f64)
            .collect();
        let start = tuning.parameters.iter().map(|parameter| parameter.start).collect();
        let (curves, caption) = curves(&tuning, &[start, moved]);
        let colours: std::collections::BTreeSet<usize> = curves.iter().map(|series| series.colour).collect();
        assert_eq!(colours.len(), curves.len());
        assert_eq!(curves[0].name, format!("p{}", COLOURS + 4));
        assert!(caption.contains("the other 5"), "{caption}");
    }
}
