//! `tabiya laser book`: build, probe and describe opening books.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use laser::Position;
use laser_search::{Book, BookEntries, BookMove, BookPlan, Progress, build_book, entries_of};

use crate::arguments::Arguments;
use crate::environment::{Environment, Failure};
use crate::options::Options;
use crate::{endgame, files};

/// Positions between two saves of a build in progress.
const SAVE_EVERY: usize = 25;

pub(crate) fn run(arguments: &[String], environment: &mut Environment<'_>) -> Result<(), Failure> {
    match arguments.first().map(String::as_str) {
        Some("build") => build(&arguments[1..], environment),
        Some("probe") => probe(&arguments[1..], environment),
        Some("stats") => stats(&arguments[1..], environment),
        _ => Err(Failure::Usage("book: expected build, probe or stats".to_owned())),
    }
}

fn one_file<'a>(command: &str, arguments: &Arguments<'a>) -> Result<&'a str, Failure> {
    match arguments.words[..] {
        [path] => Ok(path),
        _ => Err(Failure::Usage(format!("{command}: expected one FILE"))),
    }
}

fn build(arguments: &[String], environment: &mut Environment<'_>) -> Result<(), Failure> {
    let flags = ["plies", "best", "rank-depth", "depth", "positions", "fen", "hash", "pawns", "layers"];
    let arguments = Arguments::read("book build", arguments, &flags, &["endgame"])?;
    let path = one_file("book build", &arguments)?;
    if arguments.has("endgame") {
        return endgame::build(path, &arguments, environment);
    }
    let plan = BookPlan {
        plies: arguments.number("plies")?.unwrap_or(4),
        best: arguments.number("best")?.unwrap_or(3),
        rank_depth: arguments.number("rank-depth")?.unwrap_or(5),
        depth: arguments.number("depth")?.unwrap_or(9),
    };
    let most: usize = arguments.number("positions")?.unwrap_or(usize::MAX);
    let mut options = Options::default();
    if let Some(megabytes) = arguments.number("hash")? {
        options.set("hash", megabytes).map_err(Failure::Failed)?;
    }
    let mut entries = if std::fs::exists(path)? {
        entries_of(&files::load_book(path).map_err(Failure::Failed)?)
    } else {
        BookEntries::new()
    };
    let before = entries.len();
    writeln!(environment.output, "{path}: going on from {before} positions")?;
    let mut engine = options.engine(environment.clock.clone()).map_err(Failure::Failed)?;
    let save = |entries: &BookEntries| files::save(path, &Book::new(entries).to_bytes());
    let output = &mut *environment.output;
    let mut failed = None;
    let mut visited = 0;
    let finished = build_book(
        &mut engine,
        &plan,
        arguments.position()?,
        &mut entries,
        &mut |progress: Progress, entries| {
            visited += 1;
            let mut note = || -> Result<(), Failure> {
                if visited % SAVE_EVERY == 0 {
                    save(entries)?;
                    let Progress { ply, done, total, entries } = progress;
                    writeln!(output, "ply {ply}: {done} of {total} positions, {entries} in the book")?;
                    output.flush()?;
                }
                Ok(())
            };
            match note() {
                Err(failure) => {
                    failed = Some(failure);
                    ControlFlow::Break(())
                }
                Ok(()) if entries.len() - before >= most => ControlFlow::Break(()),
                Ok(()) => ControlFlow::Continue(()),
            }
        },
    );
    if let Some(failure) = failed {
        return Err(failure);
    }
    save(&entries)?;
    let state = if finished { "complete" } else { "to be continued" };
    writeln!(environment.output, "{path}: {} positions, {state}", entries.len())?;
    Ok(())
}

fn probe(arguments: &[String], environment: &mut Environment<'_>) -> Result<(), Failure> {
    let arguments = Arguments::read("book probe", arguments, &["fen"], &[])?;
    let path = one_file("book probe", &arguments)?;
    let position: Position = arguments.position()?;
    if files::is_endgame(path) {
        return endgame::probe(path, &position, environment);
    }
    let book = files::load_book(path).map_err(Failure::Failed)?;
    match book.probe(&position) {
        Some(BookMove { mv, score, depth }) => {
            writeln!(environment.output, "{mv} score {score} depth {depth}")?;
        }
        None => writeln!(environment.output, "not in the book")?,
    }
    Ok(())
}

fn stats(arguments: &[String], environment: &mut Environment<'_>) -> Result<(), Failure> {
    let arguments = Arguments::read("book stats", arguments, &[], &[])?;
    let path = one_file("book stats", &arguments)?;
    if files::is_endgame(path) {
        return endgame::stats(path, environment);
    }
    let book = files::load_book(path).map_err(Failure::Failed)?;
    let mut depths: BTreeMap<u8, usize> = BTreeMap::new();
    for (_, entry) in book.entries() {
        *depths.entry(entry.depth).or_default() += 1;
    }
    writeln!(environment.output, "{path}: {} positions in {} slots", book.len(), book.slots())?;
    for (depth, count) in depths {
        writeln!(environment.output, "depth {depth}: {count}")?;
    }
    // One pass over every known key: what a probe costs in the long run.
    let (began, rounds) = (environment.clock.now(), 1_000_000 / book.len().max(1) + 1);
    let mut found = 0_usize;
    let start = Position::start();
    for _ in 0..rounds * book.len() {
        found += usize::from(std::hint::black_box(&book).probe(std::hint::black_box(&start)).is_some());
    }
    let spent = environment.clock.now().saturating_sub(began);
    let probes = (rounds * book.len()).max(1);
    writeln!(
        environment.output,
        "{probes} probes of the start position ({}) took {} ns each",
        if found > 0 { "known" } else { "unknown" },
        spent.as_nanos() / probes as u128
    )?;
    Ok(())
}
