//! The report of an ablation: what each technique is worth in time and nodes at a fixed depth.

use std::fmt::Write as _;

use super::ablation::WHOLE;
use super::analysis::{self, Price};
use super::config::Study;
use super::rows::Measured;
use charts::html::Page;
use charts::plots::{self, Bar, LineChart, Point, Series};
use charts::svg::short;
use stats::regression::{self, Shape};

/// KLAS (Brange 2021, chapter 4.4): mean milliseconds of a search to depth 6 by variant, and the Good Move Index of plies 0 to 5.
const KLAS: [(&str, &str, f64, [f64; 6]); 5] = [
    ("klas-st", "one thread", 1280.0, [4.89, 0.98, 1.99, 1.35, 1.48, 0.32]),
    ("klas-mo", "without victim ordering", 4066.0, [5.84, 1.60, 5.43, 3.37, 8.97, 7.31]),
    ("klas-tt", "table without cutoffs", 2124.0, [4.61, 1.17, 2.03, 1.26, 1.25, 0.17]),
    ("klas-id", "without deepening", 1796.0, [10.32, 1.77, 2.86, 1.94, 1.95, 0.40]),
    ("klas-mt", "four threads", 850.0, [4.59, 1.16, 2.04, 1.44, 1.42, 0.29]),
];
const KLAS_BASE: &str = "klas-st";

fn sorted(study: &Study, rows: &[Measured]) -> Vec<Price> {
    let mut prices = analysis::prices(rows, WHOLE, &study.series());
    prices.sort_by(|one, other| other.time_ratio.estimate.total_cmp(&one.time_ratio.estimate));
    prices
}

/// Times and nodes against the whole engine, as text.
pub(super) fn table(study: &Study, rows: &[Measured]) -> String {
    let mut text = String::from(
        "variant                              time ratio (95 %)          node ratio   nodes/s\n",
    );
    for price in sorted(study, rows) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<36} {:>6.3} ({:.3} to {:.3}) {:>10.3} {:>10}",
            price.series,
            price.time_ratio.estimate,
            price.time_ratio.low,
            price.time_ratio.high,
            price.node_ratio.estimate,
            short(price.nodes_per_second)
        );
    }
    text
}

/// The whole report.
pub(super) fn write(page: &mut Page, study: &Study, rows: &[Measured]) {
    let prices = sorted(study, rows);
    let others: Vec<&Price> = prices.iter().filter(|price| price.series != WHOLE).collect();
    page.conclusion(&conclusion(&others));
    page.heading("What each technique is worth");
    let bars: Vec<Bar> = others
        .iter()
        .map(|price| Bar {
            label: price.series.clone(),
            // On a scale where twice as slow and twice as fast lie equally far from none.
            value: price.time_ratio.estimate.log2(),
            error: (price.time_ratio.high / price.time_ratio.low).log2() / 2.0,
        })
        .collect();
    let caption = "Time to the depth against the whole engine, in doublings: 1 is twice as long, -1 half as long; 95 % intervals.";
    page.figure(&plots::intervals(&bars, "doublings of time", caption));
    let table: Vec<Vec<String>> = prices
        .iter()
        .map(|price| {
            vec![
                price.series.clone(),
                short(price.mean_ms),
                format!("{:.3}", price.time_ratio.estimate),
                format!("{:.3} to {:.3}", price.time_ratio.low, price.time_ratio.high),
                format!("{:.3}", price.node_ratio.estimate),
                short(price.nodes_per_second),
                price.positions.to_string(),
            ]
        })
        .collect();
    page.table(
        &["variant", "mean ms", "time ratio", "95 %", "node ratio", "nodes a second", "positions"],
        &table,
    );
    let points: Vec<Point> = others
        .iter()
        .map(|price| Point::from((price.node_ratio.estimate.log2(), price.time_ratio.estimate.log2())))
        .collect();
    let series = [Series { name: "variants".into(), points, joined: false, dashed: false, colour: 0 }];
    let chart = LineChart {
        series: &series,
        guides: &[],
        x_label: "doublings of nodes",
        y_label: "doublings of time",
        doubling: false,
        caption: "Variants above the diagonal pay more per node as well; those below search cheaper nodes.",
    };
    page.figure(&chart.draw());
    beside_klas(page, study, rows);
    klas_measures(page, study, rows);
}

/// Our searches with KLAS's sets of techniques, beside what KLAS measured with its own program.
fn beside_klas(page: &mut Page, study: &Study, rows: &[Measured]) {
    let prices = analysis::prices(rows, KLAS_BASE, &study.series());
    let mut times = Vec::new();
    let mut indices = Vec::new();
    for (name, lacks, klas_ms, klas_index) in KLAS {
        let Some(price) = prices.iter().find(|price| price.series == name) else { continue };
        times.push(vec![
            format!("{name}: {lacks}"),
            format!("{klas_ms:.0}"),
            format!("{:.2}", klas_ms / KLAS[0].2),
            format!("{:.1}", price.mean_ms),
            format!("{:.2}", price.time_ratio.estimate),
            format!("{:.2} to {:.2}", price.time_ratio.low, price.time_ratio.high),
            format!("{:.2}", price.node_ratio.estimate),
        ]);
        let ours = analysis::good_move_index(rows, name);
        let ours = (0..klas_index.len()).map(|ply| ours.get(ply).copied().flatten());
        indices.push(by_ply(format!("{name}: KLAS"), klas_index.into_iter().map(Some)));
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
    page.table(
        &["variant", "KLAS, ms", "KLAS, ratio", "ours, ms", "ours, ratio", "95 %", "ours, nodes"],
        &times,
    );
    page.paragraph("The Good Move Index of both, by distance from the root.");
    page.table(&["variant", "0", "1", "2", "3", "4", "5"], &indices);
}

/// A row of indices, one for each distance from the root.
fn by_ply(name: String, indices: impl Iterator<Item = Option<f64>>) -> Vec<String> {
    let cell = |index: Option<f64>| index.map_or_else(|| "-".to_owned(), |index| format!("{index:.2}"));
    std::iter::once(name).chain(indices.map(cell)).collect()
}

/// The measures KLAS introduced, where the engine recorded them.
fn klas_measures(page: &mut Page, study: &Study, rows: &[Measured]) {
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
    let head: Vec<String> =
        std::iter::once("variant".to_owned()).chain((0..plies).map(|ply| ply.to_string())).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let table = |cell: &dyn Fn(&str, usize) -> String| -> Vec<Vec<String>> {
        let row = |name: &String| {
            std::iter::once(name.clone()).chain((0..plies).map(|ply| cell(name, ply))).collect()
        };
        series.iter().map(row).collect()
    };
    let index_rows: Vec<Vec<String>> = indices
        .iter()
        .map(|(name, index)| by_ply((*name).clone(), (0..plies).map(|ply| index.get(ply).copied().flatten())))
        .collect();
    page.table(&head, &index_rows);
    page.heading("What the table knew");
    page.paragraph(
        "Positions found in the transposition table at each distance from the root, in the last iteration, mean of a search.",
    );
    let known: Vec<_> = series.iter().map(|name| (name, analysis::table_hits(rows, name))).collect();
    for (kind, what) in
        ["Exact scores:", "Lower bounds (cut nodes):", "Upper bounds (all nodes):"].iter().enumerate()
    {
        let hits = |name: &str, ply: usize| {
            let found = known.iter().find(|(series, _)| *series == name).and_then(|(_, hits)| hits.get(ply));
            let count = |count: f64| if count < 10.0 { format!("{count:.1}") } else { short(count) };
            found.map_or_else(|| "-".to_owned(), |hits| count(hits[kind]))
        };
        page.paragraph(what);
        page.table(&head, &table(&hits));
    }
    let ordered = series.iter().find(|name| *name == "klas-mo").or_else(|| series.first());
    let Some(name) = ordered else { return };
    let pairs = analysis::index_against_time(rows, name);
    let points: Vec<Point> = pairs.iter().map(|&pair| Point::from(pair)).collect();
    let fit = regression::fit(Shape::Linear, &pairs);
    let caption = match fit {
        Some(line) => format!(
            "Each search of {name}: its mean Good Move Index and its time in milliseconds; R\u{b2} of a straight line {:.2}.",
            line.r_squared
        ),
        None => format!("Each search of {name}: its mean Good Move Index and its time in milliseconds."),
    };
    let dots = [Series { name: name.clone(), points, joined: false, dashed: false, colour: 0 }];
    let chart = LineChart {
        series: &dots,
        guides: &[],
        x_label: "Good Move Index",
        y_label: "milliseconds",
        doubling: false,
        caption: &caption,
    };
    page.figure(&chart.draw());
}

fn conclusion(others: &[&Price]) -> Vec<String> {
    let mut sentences = Vec::new();
    let slower: Vec<&&Price> = others.iter().filter(|price| price.time_ratio.low > 1.0).collect();
    let faster: Vec<&&Price> = others.iter().filter(|price| price.time_ratio.high < 1.0).collect();
    if let Some(first) = slower.first() {
        sentences.push(format!(
            "Of {} variants, {} need more time to the same depth at 95 %; most of all '{}', {:.2} times as much.",
            others.len(),
            slower.len(),
            first.series,
            first.time_ratio.estimate
        ));
    }
    if let Some(last) = faster.last() {
        sentences.push(format!(
            "{} of them reach the depth sooner at 95 %, '{}' in {:.2} of the time: what these techniques cost in time they must \
             earn in strength, which only games can show.",
            faster.len(),
            last.series,
            last.time_ratio.estimate
        ));
    }
    let unclear = others.len() - slower.len() - faster.len();
    if unclear > 0 {
        sentences.push(format!("For {unclear} the interval includes no change."));
    }
    if others.is_empty() {
        sentences.push("There is nothing to compare with yet.".to_owned());
    }
    sentences
}
