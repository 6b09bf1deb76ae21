//! The report of times to depth: the tables and figures of Säfström and Yllmark 2025, chapters 6 and 7, from our rows.

use std::fmt::Write as _;

use super::analysis::{self, Scaling};
use super::config::Study;
use super::rows::Measured;
use charts::html::Page;
use charts::plots::{self, BoxGroup, BoxPlot, LineChart, Point, Series};
use charts::svg::short;
use stats::regression::{Line, Shape};
use stats::summary::Summary;

/// Median speedups that Säfström and Yllmark 2025 report for Crafty (tables 6.1 and 6.2).
const SEED: [(&str, [f64; 4]); 2] =
    [("Crafty, Lazy SMP", [1.0, 0.989, 1.015, 0.891]), ("Crafty, YBWC", [1.0, 1.693, 2.773, 3.818])];
const SEED_THREADS: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

fn all(study: &Study, rows: &[Measured]) -> Vec<Scaling> {
    let alone = study.base.as_deref();
    study.series().iter().filter_map(|series| analysis::scaling(rows, series, alone)).collect()
}

/// A share in percent; a dash where nothing was counted.
fn share(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// Medians by series and threads, as text.
pub(super) fn table(study: &Study, rows: &[Measured]) -> String {
    let mut text = String::from(
        "series            threads  median speedup (95 %)   geo. mean  sum ratio  efficiency  nodes    idle\n",
    );
    for scaling in all(study, rows) {
        for speedup in &scaling.speedups {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{:<18} {:>6}  {:>6.3} ({:.3} to {:.3}) {:>10.3} {:>10.3} {:>11.3} {:>6.2} {:>7}",
                scaling.series,
                speedup.threads,
                speedup.ratios.median,
                speedup.median.low,
                speedup.median.high,
                speedup.geometric,
                speedup.total,
                speedup.efficiency,
                speedup.node_ratio,
                share(speedup.idle)
            );
        }
    }
    text
}

/// The whole report.
pub(super) fn write(page: &mut Page, study: &Study, rows: &[Measured]) {
    let scalings = all(study, rows);
    page.conclusion(&conclusion(&scalings));
    page.heading("Speedup");
    boxes(page, study, &scalings);
    speedup_table(page, &scalings);
    page.figure(&curves(&scalings));
    page.heading("Efficiency, waste and spread");
    page.figure(&efficiency(&scalings));
    cost_table(page, &scalings);
    deviation_boxes(page, study, &scalings);
    page.heading("Trend and limit");
    trend_table(page, &scalings);
}

/// The limit of Amdahl's law, where the data allow it: 3 numbers of threads or more, and none faster than the limit.
fn amdahl_limit(scaling: &Scaling) -> Option<f64> {
    let fastest = scaling.speedups.iter().map(|speedup| speedup.ratios.median).fold(1.0, f64::max);
    let share = scaling.fraction.filter(|share| *share > 0.0);
    scaling.limit.filter(|limit| share.is_some() && scaling.speedups.len() >= 3 && *limit > fastest)
}

fn conclusion(scalings: &[Scaling]) -> Vec<String> {
    let mut sentences = Vec::new();
    for scaling in scalings {
        let Some(last) = scaling.speedups.last().filter(|last| last.threads > 1) else { continue };
        let comparison = if last.median.low > 1.0 {
            "faster than one thread at 95 %"
        } else if last.median.high < 1.0 {
            "slower than one thread at 95 %"
        } else {
            "not clearly different from one thread"
        };
        let limit = amdahl_limit(scaling)
            .map_or_else(String::new, |limit| format!("; Amdahl's law puts its limit at {limit:.1}"));
        sentences.push(format!(
            "{} with {} threads reaches the depth {:.2} times as fast in the median position (95 % interval {:.2} to {:.2}): \
             {comparison}{limit}.",
            scaling.series, last.threads, last.ratios.median, last.median.low, last.median.high
        ));
    }
    if sentences.is_empty() {
        sentences.push(
            "There are no times at more than one thread yet, so nothing can be said about scaling."
                .to_owned(),
        );
    }
    sentences
}

fn boxes(page: &mut Page, study: &Study, scalings: &[Scaling]) {
    let names = study.series();
    let mut groups = Vec::new();
    let mut trend = Vec::new();
    for (series, scaling) in scalings.iter().enumerate() {
        for speedup in &scaling.speedups {
            groups.push(BoxGroup { label: speedup.threads.to_string(), series, summary: speedup.ratios });
            let at = |line: &Line| line.at(Shape::Logarithmic, f64::from(speedup.threads));
            trend.push(scaling.logarithmic.as_ref().map(at));
        }
    }
    let caption = "Speedup of each position by number of threads: quartiles, extremes and median; dotted is no change, \
         dashed the trend with the logarithm of the threads.";
    page.figure(&plots::box_plot(BoxPlot {
        groups: &groups,
        names: &names,
        guide: Some(1.0),
        trend: &trend,
        x_label: "threads",
        y_label: "speedup (times as fast as 1 thread)",
        caption,
    }));
}

/// How much repetitions of a position differ; nothing where each was searched once.
fn deviation_boxes(page: &mut Page, study: &Study, scalings: &[Scaling]) {
    let names = study.series();
    let mut groups = Vec::new();
    for (series, scaling) in scalings.iter().enumerate() {
        for speedup in &scaling.speedups {
            if let Some(summary) = speedup.deviation {
                groups.push(BoxGroup { label: speedup.threads.to_string(), series, summary });
            }
        }
    }
    if groups.is_empty() {
        return;
    }
    let trend = vec![None; groups.len()];
    page.figure(&plots::box_plot(BoxPlot {
        groups: &groups,
        names: &names,
        guide: None,
        trend: &trend,
        x_label: "threads",
        y_label: "standard deviation of repetitions (ms)",
        caption: "Standard deviation of the times of one position over its repetitions, by number of threads: quartiles, extremes \
             and median over positions.",
    }));
}

fn speedup_table(page: &mut Page, scalings: &[Scaling]) {
    let mut rows = Vec::new();
    for scaling in scalings {
        for speedup in &scaling.speedups {
            let Summary { minimum, lower_quartile, median, upper_quartile, maximum, .. } = speedup.ratios;
            let mut row = vec![scaling.series.clone(), speedup.threads.to_string()];
            row.extend(
                [minimum, lower_quartile, median, upper_quartile, maximum].map(|value| format!("{value:.3}")),
            );
            row.push(format!("{:.3} to {:.3}", speedup.median.low, speedup.median.high));
            row.push(format!("{:.3}", speedup.geometric));
            row.push(format!("{:.3}", speedup.total));
            rows.push(row);
        }
    }
    let header = [
        "series",
        "threads",
        "min",
        "lower quartile",
        "median",
        "upper quartile",
        "max",
        "median, 95 %",
        "geometric mean",
        "ratio of sums",
    ];
    page.table(&header, &rows);
}

fn curves(scalings: &[Scaling]) -> String {
    let mut series: Vec<Series> = scalings
        .iter()
        .enumerate()
        .map(|(colour, scaling)| {
            let point = |speedup: &analysis::Speedup| Point {
                x: f64::from(speedup.threads),
                y: speedup.ratios.median,
                interval: Some((speedup.median.low, speedup.median.high)),
            };
            let points = scaling.speedups.iter().map(point).collect();
            Series { name: scaling.series.clone(), points, joined: true, dashed: false, colour }
        })
        .collect();
    for (place, (name, medians)) in SEED.iter().enumerate() {
        let points = SEED_THREADS
            .iter()
            .zip(medians)
            .map(|(threads, median)| Point::from((*threads, *median)))
            .collect();
        series.push(Series {
            name: (*name).to_owned(),
            points,
            joined: true,
            dashed: true,
            colour: scalings.len() + place,
        });
    }
    LineChart {
        series: &series,
        guides: &[],
        x_label: "threads",
        y_label: "median speedup",
        doubling: true,
        caption: "Median speedup with bootstrap intervals; dashed are the medians of Säfström and Yllmark 2025 on another engine, machine and depth.",
    }
    .draw()
}

fn efficiency(scalings: &[Scaling]) -> String {
    let series: Vec<Series> = scalings
        .iter()
        .enumerate()
        .map(|(colour, scaling)| {
            let points = scaling
                .speedups
                .iter()
                .map(|speedup| Point::from((f64::from(speedup.threads), speedup.efficiency)))
                .collect();
            Series { name: scaling.series.clone(), points, joined: true, dashed: false, colour }
        })
        .collect();
    LineChart {
        series: &series,
        guides: &[],
        x_label: "threads",
        y_label: "speedup per thread",
        doubling: true,
        caption: "Efficiency: the median speedup divided by the number of threads.",
    }
    .draw()
}

fn cost_table(page: &mut Page, scalings: &[Scaling]) {
    let mut rows = Vec::new();
    for scaling in scalings {
        for speedup in &scaling.speedups {
            let spread = speedup.deviation.map_or_else(
                || vec!["-".to_owned(); 3],
                |s| [s.minimum, s.median, s.maximum].map(short).to_vec(),
            );
            let mut row = vec![
                scaling.series.clone(),
                speedup.threads.to_string(),
                format!("{:.3}", speedup.efficiency),
                format!("{:.2}", speedup.node_ratio),
                format!("{:.2}", speedup.speed_ratio),
                share(speedup.idle),
                share(speedup.wasted),
            ];
            row.extend(spread);
            rows.push(row);
        }
    }
    let header = [
        "series",
        "threads",
        "efficiency",
        "nodes, times one thread",
        "nodes a second, times one thread",
        "idle",
        "wasted nodes",
        "deviation min, ms",
        "deviation median, ms",
        "deviation max, ms",
    ];
    page.table(&header, &rows);
}

fn trend_table(page: &mut Page, scalings: &[Scaling]) {
    let mut rows = Vec::new();
    for scaling in scalings {
        let line = |line: Option<Line>, of: &str| {
            line.map_or_else(
                || "-".to_owned(),
                |line| format!("{:+.3} {of} {:+.3} (R² {:.3})", line.slope, line.intercept, line.r_squared),
            )
        };
        let fraction =
            scaling.fraction.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", share * 100.0));
        rows.push(vec![
            scaling.series.clone(),
            line(scaling.linear, "N"),
            line(scaling.logarithmic, "ln N"),
            fraction,
            amdahl_limit(scaling)
                .map_or_else(|| "not from these data".to_owned(), |limit| format!("{limit:.2}")),
        ]);
    }
    page.table(&["series", "straight line", "logarithm", "parallel share (Amdahl)", "limit"], &rows);
    page.paragraph(
        "Säfström and Yllmark read 82 % and a limit of 5.6 off Crafty's median at two threads; here the share is fitted to all thread counts.",
    );
}
