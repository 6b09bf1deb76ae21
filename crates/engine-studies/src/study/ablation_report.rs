//! The report of an ablation: what each technique is worth in time and nodes at a fixed depth.

use std::fmt::Write as _;

use super::ablation::WHOLE;
use super::analysis::{self, Price};
use super::config::Study;
use super::klas_report;
use super::rows::Measured;
use charts::html::Page;
use charts::plots::{self, Bar, LineChart, Point, Series};
use charts::svg::short;

/// Variants of our engine against the whole engine, and those of KLAS, which lack most of it, against KLAS with one thread.
fn against_their_base(study: &Study, rows: &[Measured]) -> [(&'static str, Vec<Price>); 2] {
    let (of_klas, ours): (Vec<String>, Vec<String>) =
        study.series().into_iter().partition(|name| klas_report::is_of_klas(name));
    [(WHOLE, ours), (klas_report::BASE, of_klas)].map(|(base, series)| {
        let mut prices = analysis::prices(rows, base, &series);
        prices.sort_by(|one, other| other.time_ratio.estimate.total_cmp(&one.time_ratio.estimate));
        (base, prices)
    })
}

/// Times and nodes against the search they vary, as text.
pub(super) fn table(study: &Study, rows: &[Measured]) -> String {
    let mut text = String::new();
    for (base, prices) in against_their_base(study, rows) {
        if prices.is_empty() {
            continue;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<36} time ratio (95 %)          node ratio   nodes/s",
            format!("variant, against '{base}'")
        );
        for price in prices {
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
    }
    text
}

/// The whole report.
pub(super) fn write(page: &mut Page, study: &Study, rows: &[Measured]) {
    let groups = against_their_base(study, rows);
    let compared: Vec<String> = groups.iter().flat_map(|(base, prices)| conclusion(base, prices)).collect();
    page.conclusion(&if compared.is_empty() {
        vec!["There is nothing to compare with yet.".to_owned()]
    } else {
        compared
    });
    let [(_, ours), _] = &groups;
    if ours.iter().any(|price| price.series != WHOLE) {
        techniques(page, ours);
    }
    klas_report::write(page, study, rows);
}

fn techniques(page: &mut Page, prices: &[Price]) {
    let others: Vec<&Price> = prices.iter().filter(|price| price.series != WHOLE).collect();
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
}

fn conclusion(base: &str, prices: &[Price]) -> Vec<String> {
    let others: Vec<&Price> = prices.iter().filter(|price| price.series != base).collect();
    let mut sentences = Vec::new();
    let slower: Vec<&&Price> = others.iter().filter(|price| price.time_ratio.low > 1.0).collect();
    let faster: Vec<&&Price> = others.iter().filter(|price| price.time_ratio.high < 1.0).collect();
    if let Some(first) = slower.first() {
        sentences.push(format!(
            "Of {} variants, {} need more time to the same depth than '{base}' at 95 %; most of all '{}', {:.2} times as much.",
            others.len(),
            slower.len(),
            first.series,
            first.time_ratio.estimate
        ));
    }
    if let Some(last) = faster.last() {
        let reach = if faster.len() == 1 { "reaches" } else { "reach" };
        let sooner = format!(
            "{} of {} variants {reach} the depth sooner than '{base}' at 95 %, '{}' in {:.2} of the time",
            faster.len(),
            others.len(),
            last.series,
            last.time_ratio.estimate
        );
        sentences.push(if base == WHOLE {
            format!("{sooner}: what these techniques cost in time they must earn in strength, which only games can show.")
        } else {
            format!("{sooner}.")
        });
    }
    let unclear = others.len() - slower.len() - faster.len();
    if unclear > 0 {
        sentences.push(format!("For {unclear} the interval includes no change."));
    }
    sentences
}
