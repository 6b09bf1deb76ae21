//! The report of the study of Leiserchess.

use std::fmt::Write as _;

use super::analysis::{BookGames, Line, book_games, lines};
use super::config::Laser;
use super::run;
use super::version::LADDER;
use charts::html::Page;
use charts::plots::{LineChart, Point, Series, Stack, named_bars, stacked};
use charts::svg::short;
use experiment::store::{Row, Store, StoreError};

/// What the write-up of a course team printed, in its own nodes, which are moves tried.
const WRITE_UP: &str = "The logs of DeLaus, Giannaris and Burnett, in moves tried per second on their machine: reference 1.04 M, serial optimisations with mobility \
                    1.08 M, parallel scout search about 4.5 M.";

/// Everything measured, by part.
struct Parts {
    versions: Vec<Line>,
    deep: Vec<Line>,
    threads: Vec<Line>,
    tables: Vec<Line>,
    book: BookGames,
}

impl Parts {
    fn of(laser: &Laser, rows: &[Row]) -> Self {
        let all = lines(rows, "version");
        // In the order they were asked for.
        let ordered = |to_depth: bool| -> Vec<Line> {
            let of = |name: &str| {
                all.iter().find(|line| line.version == name && line.to_depth == to_depth).cloned()
            };
            laser.versions.iter().filter_map(|version| of(&version.name)).collect()
        };
        let mut threads = lines(rows, "threads");
        threads.sort_by_key(|line| (line.is_virtual, line.workers));
        let mut tables = lines(rows, "table");
        tables.sort_by_key(|line| (line.workers, line.locked));
        Self { versions: ordered(true), deep: ordered(false), threads, tables, book: book_games(rows) }
    }

    /// The single worker that others of its kind are compared with.
    fn alone(&self, line: &Line) -> Option<&Line> {
        self.threads.iter().find(|other| other.workers == 1 && other.is_virtual == line.is_virtual)
    }

    fn speedup(&self, line: &Line) -> Option<f64> {
        Some(self.alone(line)?.seconds / line.seconds.max(1e-9))
    }
}

const VERSIONS: [&str; 7] =
    ["version", "entered", "tried", "seconds", "entered/s", "tried/s", "depth in the time given"];

fn version_cells(parts: &Parts, line: &Line) -> Vec<String> {
    let deep = parts.deep.iter().find(|other| other.version == line.version);
    vec![
        line.version.clone(),
        short(line.nodes),
        short(line.tried),
        format!("{:.2}", line.seconds),
        short(line.rate()),
        short(line.tried_rate()),
        deep.map_or_else(|| "-".to_owned(), |deep| format!("{:.1}", deep.depth)),
    ]
}

const THREADS: [&str; 7] = ["workers", "way", "entered", "tried", "seconds", "speed-up", "tried/s"];

fn thread_cells(parts: &Parts, line: &Line) -> Vec<String> {
    let kind = if line.is_virtual { "virtual" } else { "real" };
    let way = if line.workers == 1 { "alone" } else { line.way.as_str() };
    vec![
        format!("{} {kind}", line.workers),
        way.to_owned(),
        short(line.nodes),
        short(line.tried),
        format!("{:.3}", line.seconds),
        parts.speedup(line).map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")),
        short(line.tried_rate()),
    ]
}

const TABLES: [&str; 5] = ["threads", "table", "entered", "seconds", "entered/s"];

fn table_cells(line: &Line) -> Vec<String> {
    let table = if line.locked == Some(true) { "set-locked" } else { "lock-free" };
    vec![
        if line.workers == 1 { "1 thread".to_owned() } else { format!("{} threads", line.workers) },
        table.to_owned(),
        short(line.nodes),
        format!("{:.3}", line.seconds),
        short(line.rate()),
    ]
}

/// Entered a second under locks beside without, for each number of threads.
fn lock_ratios(parts: &Parts) -> Vec<(usize, f64)> {
    let of = |workers: usize, locked: bool| {
        parts.tables.iter().find(|line| line.workers == workers && line.locked == Some(locked))
    };
    let mut counts: Vec<usize> = parts.tables.iter().map(|line| line.workers).collect();
    counts.dedup();
    counts
        .into_iter()
        .filter_map(|workers| {
            Some((workers, of(workers, true)?.rate() / of(workers, false)?.rate().max(1e-9)))
        })
        .collect()
}

fn book_sentence(book: &BookGames) -> Option<String> {
    let estimate = book.pairs.estimate()?;
    let elo = estimate
        .bound_text()
        .unwrap_or_else(|| format!("{:+.0} ± {:.0}", estimate.elo(), estimate.elo_error()));
    Some(format!(
        "With a book against without: +{} ={} -{} in {} games, Elo {elo}, at equal nodes a move; {:.1} of {:.1} moves a game came from \
         the book, and the side with it searched {:.1} % of the nodes the other did.",
        book.wins,
        book.draws,
        book.losses,
        2 * book.pairs.total(),
        book.book_moves / (2 * book.pairs.total()) as f64,
        book.moves_with / (2 * book.pairs.total()) as f64,
        100.0 * book.nodes_with / book.nodes_without.max(1.0)
    ))
}

fn conclusion(parts: &Parts) -> Vec<String> {
    let mut sentences = Vec::new();
    let is_step = |line: &&Line| LADDER.iter().any(|(name, _)| *name == line.version);
    let steps: Vec<&Line> = parts.versions.iter().filter(is_step).collect();
    if let [first, .., last] = steps.as_slice() {
        sentences.push(format!(
            "{} enters {:.1} times as many positions a second as {} ({} against {}) and takes {:.2} of its time to the depth.",
            last.version,
            last.rate() / first.rate().max(1e-9),
            first.version,
            short(last.rate()),
            short(first.rate()),
            last.seconds / first.seconds.max(1e-9)
        ));
    }
    for is_virtual in [false, true] {
        let own = parts.threads.iter().filter(|line| line.is_virtual == is_virtual && line.workers > 1);
        let best = own
            .filter_map(|line| Some((line, parts.speedup(line)?)))
            .max_by(|one, other| one.1.total_cmp(&other.1));
        if let Some((line, speedup)) = best {
            let kind = if is_virtual { "virtual workers" } else { "real threads" };
            sentences.push(format!(
                "The greatest speed-up with {kind} is {speedup:.2}, with {} of them by {}.",
                line.workers, line.way
            ));
        }
    }
    for (workers, ratio) in lock_ratios(parts) {
        let threads = if workers == 1 { "thread" } else { "threads" };
        sentences.push(format!(
            "With {workers} {threads} the table under locks comes to {:.1} % of the speed of the one without.",
            100.0 * ratio
        ));
    }
    sentences.extend(book_sentence(&parts.book));
    if sentences.is_empty() {
        sentences.push("Nothing is measured yet.".to_owned());
    }
    sentences
}

/// The same in a few lines of text.
pub fn table(laser: &Laser, rows: &[Row]) -> String {
    let parts = Parts::of(laser, rows);
    let mut text = String::new();
    // Writing to a string cannot fail.
    for line in &parts.versions {
        let cells = version_cells(&parts, line);
        let _ = writeln!(
            text,
            "{:<28} {:>8} entered {:>7} s {:>8} entered/s {:>8} tried/s, depth {}",
            cells[0], cells[1], cells[3], cells[4], cells[5], cells[6]
        );
    }
    for line in &parts.threads {
        let cells = thread_cells(&parts, line);
        let _ = writeln!(
            text,
            "{:<14} {:<8} {:>8} entered {:>8} s, speed-up {}",
            cells[0], cells[1], cells[2], cells[4], cells[5]
        );
    }
    for line in &parts.tables {
        let cells = table_cells(line);
        let _ = writeln!(text, "{:<14} {:<11} {:>8} entered/s", cells[0], cells[1], cells[4]);
    }
    if let Some(sentence) = book_sentence(&parts.book) {
        text.push_str(&(sentence + "\n"));
    }
    text
}

/// Draws the report.
pub fn render(laser: &Laser, store: &Store) -> Result<String, StoreError> {
    let rows = store.rows()?;
    let parts = Parts::of(laser, &rows);
    let description = store.description()?;
    let subtitle = format!("laser · {} · begun {}", laser.heading(), description.created);
    let mut page = Page::new(&laser.name, &subtitle);
    page.conclusion(&conclusion(&parts));
    write_versions(&mut page, laser, &parts);
    write_threads(&mut page, &parts);
    if !parts.tables.is_empty() {
        page.heading("The table, with locks and without");
        page.table(&TABLES, &parts.tables.iter().map(table_cells).collect::<Vec<_>>());
    }
    write_book(&mut page, laser, &parts.book);
    page.heading("Method");
    page.paragraph(&format!(
        "{}. {} of {} rows are there. Searches are of the bench positions from empty tables, to the depth given; lines sum the positions and \
         take the median of the repetitions. Time is processor time where one thread works alone, time that passes where real threads are compared, and the search's \
         own virtual time for virtual workers: reproducible, on one core, by the kernel's calibrated costs, an estimate of what so many cores would do.",
        laser.heading(),
        rows.len(),
        run::size(laser)
    ));
    page.paragraph(&format!(
        "Entered are positions, what our players call nodes; tried are moves made or looked at, what the course's players call nodes. {WRITE_UP}"
    ));
    experiment::report::environment(&mut page, store)?;
    page.heading("To run it again");
    page.paragraph("Save this as FILE.toml and run 'tabiya lab laser FILE.toml'.");
    page.preformatted(&description.spec.to_toml());
    Ok(page.finish())
}

fn write_versions(page: &mut Page, laser: &Laser, parts: &Parts) {
    if parts.versions.is_empty() {
        return;
    }
    page.heading("Versions");
    let rows: Vec<Vec<String>> = parts.versions.iter().map(|line| version_cells(parts, line)).collect();
    page.table(&VERSIONS, &rows);
    let explained: Vec<Vec<String>> =
        laser.versions.iter().map(|version| vec![version.name.clone(), version.explained()]).collect();
    page.table(&["version", "what it adds to the one before, or lacks"], &explained);
    let columns = |value: &dyn Fn(&Line) -> f64| {
        parts.versions.iter().map(|line| (line.version.clone(), value(line))).collect::<Vec<_>>()
    };
    page.figure(&named_bars(
        &columns(&|line| line.rate() / 1e3),
        "thousand positions a second",
        "Positions entered a second, one thread.",
    ));
    page.figure(&named_bars(
        &columns(&|line| line.seconds),
        "seconds",
        "Seconds to the depth, all positions together: speed and the size of the tree in one.",
    ));
}

fn write_threads(page: &mut Page, parts: &Parts) {
    if parts.threads.is_empty() {
        return;
    }
    page.heading("Threads");
    let mut ways: Vec<&str> = Vec::new();
    for line in parts.threads.iter().filter(|line| line.workers > 1) {
        if !ways.contains(&line.way.as_str()) {
            ways.push(&line.way);
        }
    }
    let mut series = Vec::new();
    for (colour, way) in ways.iter().enumerate() {
        for is_virtual in [true, false] {
            let own = |line: &&Line| line.is_virtual == is_virtual && (line.way == *way || line.workers == 1);
            let points: Vec<Point> = (parts.threads.iter().filter(own))
                .filter_map(|line| Some(Point::from((line.workers as f64, parts.speedup(line)?))))
                .collect();
            if points.len() > 1 {
                let kind = if is_virtual { "virtual" } else { "real" };
                series.push(Series {
                    name: format!("{way}, {kind}"),
                    points,
                    joined: true,
                    dashed: !is_virtual,
                    colour,
                });
            }
        }
    }
    if !series.is_empty() {
        let chart = LineChart {
            series: &series,
            guides: &[],
            x_label: "workers",
            y_label: "speed-up to the depth",
            doubling: true,
            caption: "How much sooner the depth is reached than by one worker of the same kind; real threads dashed.",
        };
        page.figure(&chart.draw());
    }
    page.table(&THREADS, &parts.threads.iter().map(|line| thread_cells(parts, line)).collect::<Vec<_>>());
}

fn write_book(page: &mut Page, laser: &Laser, book: &BookGames) {
    let Some(sentence) = book_sentence(book) else { return };
    page.heading("With a book and without");
    let stack = Stack {
        label: "with a book".to_owned(),
        parts: vec![book.wins as f64, book.draws as f64, book.losses as f64],
    };
    page.figure(&stacked(
        &[stack],
        &["won", "drawn", "lost"],
        &[2, 7, 1],
        "share of games",
        "Games of the side with the book.",
    ));
    page.paragraph(&sentence);
    let study = &laser.book;
    page.paragraph(&format!(
        "Each of {} openings of {} random quiet plies got a book of its own ({} plies on with the {} best moves, searched to depth {}; {:.0} positions on \
         average) and was played with both colours at {} nodes a searched move. At equal nodes the time a book saves is not in the result; the \
         nodes not searched tell it.",
        book.pairs.total(),
        study.plies,
        study.plan.plies,
        study.plan.best,
        study.plan.depth,
        book.entries / book.pairs.total().max(1) as f64,
        study.nodes
    ));
}
