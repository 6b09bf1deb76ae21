//! The report of a profile: phases as bars and a table, functions as a flame graph and tables.

use std::fmt::Write as _;

use search::Phase;

use super::analysis::{Part, Seen, Watch, seen, watch};
use super::config::Profile;
use super::run::NO_FUNCTIONS;
use charts::html::Page;
use charts::plots::{Stack, flame_graph, stacked};
use charts::svg::short;
use experiment::store::{Row, Store, StoreError};

/// Functions listed in a table.
const LISTED: usize = 25;

const HEADER: [&str; 6] = ["phase", "share of the time", "± (95 %)", "times", "times a node", "ns each"];

fn cells(watch: &Watch, part: &Part) -> Vec<String> {
    vec![
        part.phase.name().to_owned(),
        format!("{:.1} %", 100.0 * part.share),
        format!("{:.1}", 100.0 * part.error),
        short(part.times),
        format!("{:.2}", part.times / watch.nodes.max(1.0)),
        part.each.map_or_else(|| "-".to_owned(), |each| format!("{each:.0}")),
    ]
}

/// The same in a few lines of text.
pub fn table(profile: &Profile, rows: &[Row]) -> String {
    let mut text = String::new();
    for series in &profile.evaluations {
        if let Some(watch) = watch(rows, series) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", sentence(&watch));
            for part in &watch.parts {
                let line = cells(&watch, part);
                let _ = writeln!(
                    text,
                    "  {:<28} {:>7} ± {:>4} {:>9} times {:>8} ns each",
                    line[0], line[1], line[2], line[3], line[5]
                );
            }
        }
        if let Some(seen) = seen(rows, series) {
            let _ =
                writeln!(text, "{series}, functions by their own work ({} samples of perf):", seen.samples);
            for function in seen.functions().iter().take(12) {
                let _ = writeln!(text, "  {:>5.1} %  {}", 100.0 * function.own / seen.samples, function.name);
            }
        }
    }
    text
}

fn sentence(watch: &Watch) -> String {
    let largest: Vec<String> = watch
        .parts
        .iter()
        .take(3)
        .map(|part| format!("{} {:.1} %", part.phase.name(), 100.0 * part.share))
        .collect();
    format!(
        "{}: {}. {:.0} ns of processor time a node, {} nodes, {} samples",
        watch.series,
        largest.join(", "),
        watch.cpu / watch.nodes.max(1.0),
        short(watch.nodes),
        watch.samples
    )
}

/// Draws the report.
pub fn render(profile: &Profile, store: &Store) -> Result<String, StoreError> {
    let rows = store.rows()?;
    let description = store.description()?;
    let subtitle = format!("profile · {} · begun {}", profile.heading(), description.created);
    let mut page = Page::new(&profile.name, &subtitle);
    let watches: Vec<Watch> = profile.evaluations.iter().filter_map(|series| watch(&rows, series)).collect();
    page.conclusion(&conclusion(profile, &rows, &watches));
    phases(&mut page, &watches);
    let mut missing = Vec::new();
    for series in &profile.evaluations {
        match seen(&rows, series) {
            Some(seen) => functions(&mut page, series, &seen),
            None => missing.push(series.as_str()),
        }
    }
    if !missing.is_empty() {
        page.heading("Functions");
        let events = store.events()?;
        let told = events.iter().rev().find(|event| event.kind == NO_FUNCTIONS);
        let reason = told.map_or_else(|| "they were not asked for".to_owned(), |event| event.detail.clone());
        page.paragraph(&format!(
            "Not recorded for {}: {reason}. The phases above need nothing but this program; 'lab resume' adds functions once perf can look.",
            missing.join(", ")
        ));
    }
    method(&mut page, profile, &watches);
    experiment::report::environment(&mut page, store)?;
    page.heading("To run it again");
    page.paragraph("Save this as FILE.toml and run 'tabiya lab profile FILE.toml'.");
    page.preformatted(&description.spec.to_toml());
    Ok(page.finish())
}

fn conclusion(profile: &Profile, rows: &[Row], watches: &[Watch]) -> Vec<String> {
    let mut sentences: Vec<String> = watches.iter().map(|watch| sentence(watch) + ".").collect();
    for series in &profile.evaluations {
        if let Some(seen) = seen(rows, series)
            && let Some(first) = seen.functions().first()
        {
            sentences.push(format!(
                "By function, {series}: {} alone takes {:.1} %.",
                first.name,
                100.0 * first.own / seen.samples.max(1.0)
            ));
        }
    }
    if sentences.is_empty() {
        sentences.push("Nothing is measured yet.".to_owned());
    }
    sentences
}

fn phases(page: &mut Page, watches: &[Watch]) {
    if watches.is_empty() {
        return;
    }
    page.heading("Phases");
    let names: Vec<&str> = Phase::ALL.iter().map(|phase| phase.name()).collect();
    let stacks: Vec<Stack> = watches
        .iter()
        .map(|watch| Stack {
            label: watch.series.clone(),
            parts: Phase::ALL
                .iter()
                .map(|phase| {
                    let part = watch.parts.iter().find(|part| part.phase == *phase);
                    part.map_or(0.0, |part| (1000.0 * part.share).round() / 10.0)
                })
                .collect(),
        })
        .collect();
    // Each phase has a colour of its own; neighbours are far apart.
    let colours: Vec<usize> = (0..Phase::ALL.len()).collect();
    page.figure(&stacked(&stacks, &names, &colours, "share of the time", "Share of the time in each phase."));
    for watch in watches {
        page.heading(&format!("Phases with the evaluation {}", watch.series));
        let rows: Vec<Vec<String>> = watch.parts.iter().map(|part| cells(watch, part)).collect();
        page.table(&HEADER, &rows);
    }
}

fn functions(page: &mut Page, series: &str, seen: &Seen) {
    page.heading(&format!("Functions with the evaluation {series}"));
    page.figure(&flame_graph(
        &seen.paths,
        &format!(
            "{} samples. A function stands on the one that called it and is as wide as the time spent in it and above it; \
             the node functions, which call themselves, are drawn once. Touch a cell for its name and share.",
            seen.samples
        ),
    ));
    let percent = |count: f64| format!("{:.1} %", 100.0 * count / seen.samples.max(1.0));
    let all = seen.functions();
    let rows: Vec<Vec<String>> = all
        .iter()
        .filter(|function| function.own > 0.0)
        .take(LISTED)
        .map(|function| vec![function.name.clone(), percent(function.own), percent(function.total)])
        .collect();
    page.table(&["function", "itself", "with what it calls"], &rows);
    let modules: Vec<Vec<String>> =
        seen.modules().into_iter().take(LISTED).map(|(name, own)| vec![name, percent(own)]).collect();
    page.table(&["module", "its own code"], &modules);
}

fn method(page: &mut Page, profile: &Profile, watches: &[Watch]) {
    page.heading("Method, and what it cannot see");
    page.paragraph(&format!(
        "{}. Phases: the search, with every technique on under the lab's policy, keeps one byte that tells what it is busy with; a \
         second thread looks at it about a thousand times a second, at uneven times. Shares are shares of looks, and their \
         error is that of counting. 'ns each' is a phase's share of the processor time the searching thread got, by the number of times \
         the phase was entered; 'nodes themselves' is what is left of a node when the named parts are taken out.",
        profile.heading()
    ));
    page.paragraph(
        "The lab's policy and its byte cost a few percent beyond the released engine: a store at the border of each phase, \
         which makes short phases look a little longer than they are. A processor works on several instructions at once: a miss in the \
         table is charged to whoever waits for it, which may be the phase after. Where the machine is busy with other programs, looks fall \
         into the phase the search was interrupted in; that adds noise, and no bias.",
    );
    page.paragraph(
        "Functions: perf stops the engine, a process of its own built as this program was, by a timer and notes the stack. It sees functions as \
         the compiler left them: what was inlined is part of its caller. Time spent in the system is not counted.",
    );
    let (cpu, wall): (f64, f64) =
        watches.iter().fold((0.0, 0.0), |sum, watch| (sum.0 + watch.cpu, sum.1 + watch.wall));
    if wall > 0.0 {
        page.paragraph(&format!(
            "While the phases were watched the searching thread had a processor {:.0} % of the time.",
            100.0 * cpu / wall
        ));
    }
}
