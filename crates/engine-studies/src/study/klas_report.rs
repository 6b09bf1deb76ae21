//! The tables and figures of KLAS (Brange 2021, chapters 4.4 and 5), from our rows and beside the published values.

use std::fmt::Write as _;

use super::analysis;
use super::config::Study;
use super::rows::Measured;
use charts::html::Page;
use charts::plots::{self, Bar, LineChart, Point, Series};
use charts::svg::short;
use stats::regression::{self, Shape};

/// What the thesis reports of a variant.
struct Published {
    name: &'static str,
    lacks: &'static str,
    /// Mean milliseconds of a search to depth 6.
    milliseconds: f64,
    /// The Good Move Index of plies 0 to 5.
    index: [f64; 6],
    /// Table hits of plies 0 to 6.
    hits: Option<[f64; 7]>,
    /// Megabytes in use after the iterations of depth 2, 4 and 6.
    memory: Option<[f64; 3]>,
}

const KLAS: [Published; 5] = [
    Published {
        name: "klas-st",
        lacks: "one thread",
        milliseconds: 1280.0,
        index: [4.89, 0.98, 1.99, 1.35, 1.48, 0.32],
        hits: Some([0.8, 9.7, 24.4, 718.5, 594.1, 16030.6, 825.9]),
        memory: Some([759.1, 776.3, 756.3]),
    },
    Published {
        name: "klas-mo",
        lacks: "without victim ordering",
        milliseconds: 4066.0,
        index: [5.84, 1.60, 5.43, 3.37, 8.97, 7.31],
        hits: None,
        memory: None,
    },
    Published {
        name: "klas-tt",
        lacks: "table without cutoffs",
        milliseconds: 2124.0,
        index: [4.61, 1.17, 2.03, 1.26, 1.25, 0.17],
        hits: None,
        memory: None,
    },
    Published {
        name: "klas-id",
        lacks: "without deepening",
        milliseconds: 1796.0,
        index: [10.32, 1.77, 2.86, 1.94, 1.95, 0.40],
        hits: Some([0.0, 0.5, 0.1, 358.0, 1120.1, 23735.2, 2500.0]),
        memory: None,
    },
    Published {
        name: "klas-mt",
        lacks: "four threads",
        milliseconds: 850.0,
        index: [4.59, 1.16, 2.04, 1.44, 1.42, 0.29],
        hits: Some([5.4, 245.3, 145.7, 2030.6, 3465.2, 33299.4, 3539.2]),
        memory: Some([914.7, 944.8, 765.8]),
    },
];
/// The variant that the others are compared with: KLAS with one thread.
pub(super) const BASE: &str = "klas-st";
const MEMORY_DEPTHS: [u32; 3] = [2, 4, 6];

pub(super) fn is_of_klas(series: &str) -> bool {
    KLAS.iter().any(|variant| variant.name == series)
}

/// All sections; nothing where the rows have none of it.
pub(super) fn write(page: &mut Page, study: &Study, rows: &[Measured]) {
    beside_klas(page, study, rows);
    move_ordering(page, study, rows);
    table_hits(page, study, rows);
    memory(page, rows);
}

/// Our searches with KLAS's sets of techniques, beside what KLAS measured with its own program.
fn beside_klas(page: &mut Page, study: &Study, rows: &[Measured]) {
    let prices = analysis::prices(rows, BASE, &study.series());
    let (mut times, mut indices, mut bars) = (Vec::new(), Vec::new(), Vec::new());
    for Published { name, lacks, milliseconds, index, .. } in &KLAS {
        let Some(price) = prices.iter().find(|price| price.series == *name) else { continue };
        let ratio = &price.time_ratio;
        times.push(vec![
            format!("{name}: {lacks}"),
            format!("{milliseconds:.0}"),
            format!("{:.2}", milliseconds / KLAS[0].milliseconds),
            format!("{:.1}", price.mean_ms),
            format!("{:.2}", ratio.estimate),
            format!("{:.2} to {:.2}", ratio.low, ratio.high),
            format!("{:.2}", price.node_ratio.estimate),
        ]);
        let published = (milliseconds / KLAS[0].milliseconds).log2();
        bars.push(Bar { label: format!("{name}: KLAS"), value: published, error: 0.0 });
        let error = (ratio.high / ratio.low).log2() / 2.0;
        bars.push(Bar { label: format!("{name}: ours"), value: ratio.estimate.log2(), error });
        let ours = analysis::good_move_index(rows, name);
        let ours = (0..index.len()).map(|ply| ours.get(ply).copied().flatten());
        indices.push(by_ply(format!("{name}: KLAS"), index.iter().copied().map(Some)));
        indices.push(by_ply(format!("{name}: ours"), ours));
    }
    if times.len() < 2 {
        return;
    }
    page.heading("Beside KLAS");
    page.paragraph(
        "The sets of techniques of KLAS (Brange 2021), each beside what the study measured with KLAS at depth 6. Times as multiples of the search with \
         one thread; ours are geometric means over positions, those of KLAS are ratios of mean times.",
    );
    let caption = "Time of each variant against the search with one thread, in doublings: 1 is twice as long, -1 half as long; \
         ours with 95 % intervals, KLAS without (none is published).";
    page.figure(&plots::intervals(&bars, "doublings of time", caption));
    page.table(
        &["variant", "KLAS, ms", "KLAS, ratio", "ours, ms", "ours, ratio", "95 %", "ours, nodes"],
        &times,
    );
    page.paragraph("The Good Move Index of both, by distance from the root.");
    page.table(&["variant", "0", "1", "2", "3", "4", "5"], &indices);
}

/// A row of indices, one for each distance from the root.
fn by_ply(name: String, indices: impl Iterator<Item = Option<f64>>) -> Vec<String> {
    let cell = |index: Option<f64>| index.map_or_else(dash, |index| format!("{index:.2}"));
    std::iter::once(name).chain(indices.map(cell)).collect()
}

fn dash() -> String {
    "-".to_owned()
}

/// `variant` and the distances from the root.
fn head(plies: usize) -> Vec<String> {
    std::iter::once("variant".to_owned()).chain((0..plies).map(|ply| ply.to_string())).collect()
}

fn draw_table(page: &mut Page, plies: usize, rows: &[Vec<String>]) {
    let head = head(plies);
    page.table(&head.iter().map(String::as_str).collect::<Vec<_>>(), rows);
}

fn move_ordering(page: &mut Page, study: &Study, rows: &[Measured]) {
    let series = study.series();
    let indices: Vec<(&String, Vec<Option<f64>>)> =
        series.iter().map(|name| (name, analysis::good_move_index(rows, name))).collect();
    let plies = indices.iter().map(|(_, index)| index.len()).max().unwrap_or(0).min(10);
    if plies == 0 {
        return;
    }
    page.heading("How well moves are ordered");
    page.paragraph(
        "The Good Move Index (Brange 2021) is the place in the list, from 0, of the move that cut off or last raised the bound; a mean over \
         the nodes at each distance from the root, in the last iteration.",
    );
    let index_rows: Vec<Vec<String>> = indices
        .iter()
        .map(|(name, index)| by_ply((*name).clone(), (0..plies).map(|ply| index.get(ply).copied().flatten())))
        .collect();
    draw_table(page, plies, &index_rows);
    let of_klas: Vec<&String> =
        series.iter().filter(|name| ["klas-mo", "klas-mt"].contains(&name.as_str())).collect();
    let shown = if of_klas.is_empty() { series.iter().take(1).collect() } else { of_klas };
    for name in shown {
        page.figure(&scatter(name, &analysis::index_against_time(rows, name)));
    }
}

/// Each search as a dot, with the straight line through them.
fn scatter(name: &str, pairs: &[(f64, f64)]) -> String {
    let mut series = vec![Series {
        name: name.to_owned(),
        points: pairs.iter().map(|&pair| Point::from(pair)).collect(),
        joined: false,
        dashed: false,
        colour: 0,
    }];
    let fit = regression::fit(Shape::Linear, pairs);
    let mut caption = format!("Each search of {name}: its mean Good Move Index and its time in milliseconds");
    if let Some(line) = fit {
        // Writing to a string cannot fail.
        let _ = write!(caption, "; dashed is the trend, R\u{b2} {:.2}", line.r_squared);
        let ends = pairs.iter().map(|pair| pair.0);
        let ends = [ends.clone().fold(f64::INFINITY, f64::min), ends.fold(f64::NEG_INFINITY, f64::max)];
        let points = ends.map(|end| Point::from((end, line.at(Shape::Linear, end)))).into();
        series.push(Series { name: "trend".to_owned(), points, joined: true, dashed: true, colour: 1 });
    }
    caption.push('.');
    let chart = LineChart {
        series: &series,
        guides: &[],
        x_label: "Good Move Index",
        y_label: "milliseconds",
        doubling: false,
        caption: &caption,
    };
    chart.draw()
}

fn table_hits(page: &mut Page, study: &Study, rows: &[Measured]) {
    let series = study.series();
    let known: Vec<(&String, Vec<[f64; 3]>)> =
        series.iter().map(|name| (name, analysis::table_hits(rows, name))).collect();
    let plies = known.iter().map(|(_, hits)| hits.len()).max().unwrap_or(0).min(10);
    if plies == 0 {
        return;
    }
    page.heading("What the table knew");
    page.paragraph(
        "Positions found in the transposition table at each distance from the root, in the last iteration, mean of a search.",
    );
    let count = |count: f64| if count < 10.0 { format!("{count:.1}") } else { short(count) };
    let row = |name: String, hits: &dyn Fn(usize) -> Option<f64>| -> Vec<String> {
        std::iter::once(name).chain((0..plies).map(|ply| hits(ply).map_or_else(dash, count))).collect()
    };
    let mut totals = Vec::new();
    for (name, hits) in &known {
        if let Some(published) =
            KLAS.iter().find(|published| published.name == *name).and_then(|found| found.hits)
        {
            totals.push(row(format!("{name}: KLAS"), &|ply| published.get(ply).copied()));
        }
        totals.push(row((*name).clone(), &|ply| hits.get(ply).map(|kinds| kinds.iter().sum())));
    }
    page.paragraph("All hits, beside those of KLAS where the thesis has them:");
    draw_table(page, plies, &totals);
    let kinds = ["Exact scores:", "Lower bounds (cut nodes):", "Upper bounds (all nodes):"];
    for (kind, what) in kinds.iter().enumerate() {
        page.paragraph(what);
        let rows: Vec<Vec<String>> = known
            .iter()
            .map(|(name, hits)| row((*name).clone(), &|ply| hits.get(ply).map(|hits| hits[kind])))
            .collect();
        draw_table(page, plies, &rows);
    }
}

/// The use of the table after each iteration. Our search allocates nothing else, so this is the memory that grows.
fn memory(page: &mut Page, rows: &[Measured]) {
    let mut table = Vec::new();
    for Published { name, lacks, memory, .. } in &KLAS {
        let used = MEMORY_DEPTHS.map(|depth| analysis::table_used(rows, name, depth));
        if used.iter().all(Option::is_none) {
            continue;
        }
        let mut row = vec![format!("{name}: {lacks}")];
        row.extend((0..3).map(|at| memory.map_or_else(dash, |memory| format!("{:.1}", memory[at]))));
        row.extend(used.map(|used| used.map_or_else(dash, |used| format!("{:.2} %", used / 10.0))));
        table.push(row);
    }
    if table.is_empty() {
        return;
    }
    page.heading("Memory by iteration");
    page.paragraph(
        "KLAS: megabytes in use by the Java virtual machine after the iterations of depth 2, 4 and 6. Ours: the share of the transposition table in \
         use. The table has its size from the start and the search allocates nothing else, so the memory of the program does not change.",
    );
    page.table(
        &["variant", "KLAS, depth 2, MB", "depth 4", "depth 6", "ours, depth 2", "depth 4", "depth 6"],
        &table,
    );
}
