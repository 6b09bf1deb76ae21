//! `tabiya laser book`: build, probe and describe opening books.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use laser::Position;
use laser_search::{Book, BookMove, BookPlan, Draft, Endgame, Progress, build_book, entries_of};

use crate::arguments::Arguments;
use crate::options::Options;
use crate::{Failure, World, endgame};

/// Positions between two saves of a build in progress.
const SAVE_EVERY: usize = 25;

pub(crate) fn load(path: &str) -> Result<Book, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    Book::from_bytes(&bytes).map_err(|error| format!("{path}: {error}"))
}

/// Writes beside the file first, so that an interruption leaves the old book whole.
fn save(path: &str, entries: &Draft) -> Result<(), Failure> {
    save_bytes(path, &Book::new(entries).to_bytes())
}

pub(crate) fn save_bytes(path: &str, bytes: &[u8]) -> Result<(), Failure> {
    let beside = format!("{path}.part");
    let name = |error: std::io::Error| Failure::Failed(format!("{beside}: {error}"));
    std::fs::write(&beside, bytes).map_err(name)?;
    std::fs::rename(&beside, path).map_err(|error| Failure::Failed(format!("{path}: {error}")))
}

pub(crate) fn run(arguments: &[String], world: &mut World<'_>) -> Result<(), Failure> {
    match arguments.first().map(String::as_str) {
        Some("build") => build(&arguments[1..], world),
        Some("probe") => probe(&arguments[1..], world),
        Some("stats") => stats(&arguments[1..], world),
        _ => Err(Failure::Usage("book: expected build, probe or stats".to_owned())),
    }
}

/// Whether a file begins as an end-game table does; one that cannot be read is left to whoever loads it.
fn is_table(path: &str) -> bool {
    use std::io::Read;
    let mut start = [0; 8];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && Endgame::is_table(&start)
}

fn one_file<'a>(command: &str, arguments: &Arguments<'a>) -> Result<&'a str, Failure> {
    match arguments.words[..] {
        [path] => Ok(path),
        _ => Err(Failure::Usage(format!("{command}: expected one FILE"))),
    }
}

fn build(arguments: &[String], world: &mut World<'_>) -> Result<(), Failure> {
    let flags = ["plies", "best", "rank-depth", "depth", "positions", "fen", "hash", "pawns", "layers"];
    let arguments = Arguments::read("book build", arguments, &flags, &["endgame"])?;
    let path = one_file("book build", &arguments)?;
    if arguments.has("endgame") {
        return endgame::build(path, &arguments, world);
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
    let mut entries =
        if std::fs::exists(path)? { entries_of(&load(path).map_err(Failure::Failed)?) } else { Draft::new() };
    let before = entries.len();
    writeln!(world.output, "{path}: going on from {before} positions")?;
    let mut engine = options.engine(world.clock.clone()).map_err(Failure::Failed)?;
    let output = &mut *world.output;
    let mut trouble = None;
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
                    save(path, entries)?;
                    let Progress { ply, done, total, entries } = progress;
                    writeln!(output, "ply {ply}: {done} of {total} positions, {entries} in the book")?;
                    output.flush()?;
                }
                Ok(())
            };
            match note() {
                Err(failure) => {
                    trouble = Some(failure);
                    ControlFlow::Break(())
                }
                Ok(()) if entries.len() - before >= most => ControlFlow::Break(()),
                Ok(()) => ControlFlow::Continue(()),
            }
        },
    );
    if let Some(failure) = trouble {
        return Err(failure);
    }
    save(path, &entries)?;
    let state = if finished { "complete" } else { "to be continued" };
    writeln!(world.output, "{path}: {} positions, {state}", entries.len())?;
    Ok(())
}

fn probe(arguments: &[String], world: &mut World<'_>) -> Result<(), Failure> {
    let arguments = Arguments::read("book probe", arguments, &["fen"], &[])?;
    let path = one_file("book probe", &arguments)?;
    let position: Position = arguments.position()?;
    if is_table(path) {
        return endgame::probe(path, &position, world);
    }
    let book = load(path).map_err(Failure::Failed)?;
    match book.probe(&position) {
        Some(BookMove { mv, score, depth }) => {
            writeln!(world.output, "{mv} score {score} depth {depth}")?;
        }
        None => writeln!(world.output, "not in the book")?,
    }
    Ok(())
}

fn stats(arguments: &[String], world: &mut World<'_>) -> Result<(), Failure> {
    let arguments = Arguments::read("book stats", arguments, &[], &[])?;
    let path = one_file("book stats", &arguments)?;
    if is_table(path) {
        return endgame::stats(path, world);
    }
    let book = load(path).map_err(Failure::Failed)?;
    let mut depths: BTreeMap<u8, usize> = BTreeMap::new();
    for (_, entry) in book.entries() {
        *depths.entry(entry.depth).or_default() += 1;
    }
    writeln!(world.output, "{path}: {} positions in {} slots", book.len(), book.slots())?;
    for (depth, count) in depths {
        writeln!(world.output, "depth {depth}: {count}")?;
    }
    // One pass over every known key: what a probe costs in the long run.
    let (began, rounds) = (world.clock.now(), 1_000_000 / book.len().max(1) + 1);
    let mut found = 0_usize;
    let start = Position::start();
    for _ in 0..rounds * book.len() {
        found += usize::from(std::hint::black_box(&book).probe(std::hint::black_box(&start)).is_some());
    }
    let spent = world.clock.now().saturating_sub(began);
    let probes = (rounds * book.len()).max(1);
    writeln!(
        world.output,
        "{probes} probes of the start position ({}) took {} ns each",
        if found > 0 { "known" } else { "unknown" },
        spent.as_nanos() / probes as u128
    )?;
    Ok(())
}
