//! What can be done with the folders of experiments: go on, redraw, compare, list, export, merge.

use std::io::Write;
use std::path::{Path, PathBuf};

use experiment::failure::Failure;
use experiment::flags::Given;
use experiment::kind::Experiment;
use experiment::runner::{self, Output, conclude, print, print_line, stored_names, write_report};
use experiment::spec::Spec;
use experiment::store::{FILE_NAME, Store};

use crate::experiments::kind_named;
use crate::experiments::tournament::config::{Kind, Tournament};
use crate::experiments::tournament::{run, table};

/// Bytes of a report; those in `results` have at most 113 kB.
const LARGEST_REPORT: u64 = 1 << 28;

/// The kind of the experiment in a store.
fn kind_of(store: &Store) -> Result<&'static dyn Experiment, Failure> {
    let kind = store.description()?.kind;
    kind_named(&kind)
        .ok_or_else(|| Failure::Failed(format!("{}: unknown kind '{kind}'", store.directory().display())))
}

/// Redraws the report from the data.
pub(super) fn report(words: &[PathBuf], out: &mut dyn Write) -> Result<u8, Failure> {
    let [directory] = words else { return Err(Failure::Usage("report: expected one folder".to_owned())) };
    let store = Store::open(directory)?;
    let plan = kind_of(&store)?.read(&store.description()?.spec, Some(&store))?;
    write_report(plan.as_ref(), &store, out)?;
    Ok(0)
}

/// Writes the figures and tables of a report as files for a paper.
pub(super) fn figures(words: &[PathBuf], out: &mut dyn Write) -> Result<u8, Failure> {
    let (report, folder) = match words {
        [report] => (report, None),
        [report, folder] => (report, Some(folder.clone())),
        _ => {
            return Err(Failure::Usage(
                "figures: expected a folder or a report, and perhaps where to".to_owned(),
            ));
        }
    };
    let report = if report.is_dir() { report.join(runner::REPORT) } else { report.clone() };
    let said = |path: &Path, error: std::io::Error| Failure::Failed(format!("{}: {error}", path.display()));
    let bytes = common::read_bounded(&report, LARGEST_REPORT);
    let bytes = bytes.map_err(|error| Failure::Failed(format!("{}: {error}", report.display())))?;
    let html = String::from_utf8_lossy(&bytes);
    let files = charts::print::files(&html);
    if files.is_empty() {
        return Err(Failure::Failed(format!(
            "{}: holds no figure and no table of the lab",
            report.display()
        )));
    }
    let folder = folder.unwrap_or_else(|| report.with_file_name("figures"));
    std::fs::create_dir_all(&folder).map_err(|error| said(&folder, error))?;
    for file in &files {
        let path = folder.join(&file.name);
        std::fs::write(&path, &file.content).map_err(|error| said(&path, error))?;
    }
    let drawings = files.iter().filter(|file| file.name.starts_with("figure")).count();
    let tables = (files.len() - drawings) / 2;
    print_line(
        out,
        &format!("{drawings} figures (SVG) and {tables} tables (CSV, LaTeX): {}", folder.display()),
    )?;
    Ok(0)
}

/// Continues a run where it stopped.
pub(super) fn resume(words: &[PathBuf], output: &mut Output<'_>) -> Result<u8, Failure> {
    let [directory] = words else { return Err(Failure::Usage("resume: expected one folder".to_owned())) };
    let (kind, spec) = {
        let store = Store::open(directory)?;
        (kind_of(&store)?, store.description()?.spec)
    };
    let given = Given { spec, ..Given::default() };
    runner::run(kind, &given, directory, output)
}

/// The tournament a store describes.
fn tournament_of(store: &Store) -> Result<Tournament, Failure> {
    let description = store.description()?;
    let Some(kind) = Kind::parse(&description.kind) else {
        return Err(Failure::Failed(format!("{}: holds no games to compare", store.directory().display())));
    };
    Ok(Tournament::recall(kind, &description.spec)?)
}

/// Two matches side by side.
pub(super) fn compare(words: &[PathBuf], out: &mut dyn Write) -> Result<u8, Failure> {
    let [one, other] = words else { return Err(Failure::Usage("compare: expected two folders".to_owned())) };
    let mut estimates = Vec::new();
    for directory in [one, other] {
        let store = Store::open(directory)?;
        let tournament = tournament_of(&store)?;
        let standings = run::standings_of(&tournament, &store.games()?)?;
        let (games, pairs) = (standings.versus(0, 1), standings.pairs(0, 1));
        print_line(out, &format!("{} ({})", directory.display(), tournament.heading()))?;
        print(out, &table::score_lines(&games, &pairs))?;
        estimates.push(pairs.estimate().or_else(|| games.estimate()));
    }
    let [Some(first), Some(second)] = estimates[..] else {
        print(out, "one of them has no games yet\n")?;
        return Ok(0);
    };
    let difference = first.score - second.score;
    let error = first.standard_error().hypot(second.standard_error());
    let standard = if error > 0.0 { difference / error } else { 0.0 };
    let agree = if standard.abs() < stats::normal::Z95 { "agree within error" } else { "differ" };
    // Who won or lost everything has a bound, printed above, and no Elo to subtract.
    let elo = Some(first.elo() - second.elo())
        .filter(|elo| elo.is_finite())
        .map_or_else(|| "no finite Elo".to_owned(), |elo| format!("{elo:+.1} Elo"));
    let line = format!("difference: {elo}, {standard:+.2} standard errors: the two results {agree}\n");
    print(out, &line)?;
    Ok(0)
}

/// The experiments below some folders.
pub(super) fn list(words: &[PathBuf], out: &mut dyn Write) -> Result<u8, Failure> {
    let roots = if words.is_empty() { vec![PathBuf::from(".")] } else { words.to_vec() };
    let mut found = Vec::new();
    for root in &roots {
        find_experiments(root, 4, &mut found);
    }
    found.sort();
    let mut text = String::new();
    for directory in found {
        let line = match Store::open(&directory).and_then(|store| {
            let description = store.description()?;
            let (games, rows) = (store.game_numbers()?.len(), store.rows()?.len());
            Ok((description, games, rows))
        }) {
            Ok((description, games, rows)) => {
                let size = if games > 0 { format!("{games} games") } else { format!("{rows} rows") };
                format!(
                    "{:<8} {size:>12}  {}  {}  {}",
                    description.kind,
                    description.created,
                    directory.display(),
                    description.name
                )
            }
            Err(error) => format!("unreadable: {error}"),
        };
        text.push_str(&common::escape_control(&line));
        text.push('\n');
    }
    if text.is_empty() {
        text.push_str("no experiments here\n");
    }
    print(out, &text)?;
    Ok(0)
}

fn find_experiments(directory: &Path, depth: u32, found: &mut Vec<PathBuf>) {
    if directory.join(FILE_NAME).is_file() {
        found.push(directory.to_owned());
    }
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth > 0 {
            find_experiments(&entry.path(), depth - 1, found);
        }
    }
}

/// The data in another form.
pub(super) fn export(words: &[PathBuf], out: &mut dyn Write) -> Result<u8, Failure> {
    let [directory, format] = words else {
        return Err(Failure::Usage("export: expected a folder and csv, json, pgn or epd".to_owned()));
    };
    let store = Store::open(directory)?;
    let text = match format.to_string_lossy().as_ref() {
        "csv" => store.export_csv()?,
        "json" => store.export_json()?,
        "epd" => store.export_epd()?,
        "pgn" => store.export_pgn()?,
        other => return Err(Failure::Usage(format!("export: '{other}', expected csv, json, pgn or epd"))),
    };
    print(out, &text)?;
    Ok(0)
}

/// Joins the parts of a run that was spread, prints the whole result and writes its report. All parts are looked at before
/// the first is merged, so that a wrong one leaves nothing behind.
pub(super) fn merge(words: &[PathBuf], out: &mut dyn Write) -> Result<u8, Failure> {
    let [into, from @ ..] = words else {
        return Err(Failure::Usage("merge: expected a folder to merge into and folders to merge".to_owned()));
    };
    if from.is_empty() {
        return Err(Failure::Usage("merge: nothing to merge, expected two folders or more".to_owned()));
    }
    let shards = from.iter().map(|directory| Store::open(directory)).collect::<Result<Vec<_>, _>>()?;
    let kind = kind_of(&shards[0])?;
    if let Some(reason) = kind.unmergeable() {
        return Err(Failure::Usage(format!("merge: {reason}")));
    }
    let first = shards[0].description()?;
    let mut spec: Spec = first.spec;
    spec.remove("shard");
    let volatile = kind.volatile();
    for shard in &shards {
        let description = shard.description()?;
        let (mut theirs, mut ours) = (description.spec, spec.clone());
        for name in volatile {
            theirs.remove(name);
            ours.remove(name);
        }
        let names = theirs.differences(&ours);
        if description.kind != first.kind || !names.is_empty() {
            let directory = shard.directory().display();
            let reason = format!("{directory}: another experiment, which differs in {}", names.join(", "));
            return Err(Failure::Failed(reason));
        }
    }
    let mut store = Store::open_or_create(into, &stored_names(kind), &first.name, &spec, volatile)?;
    for shard in &shards {
        let merged = store.merge(shard)?;
        let line = format!(
            "{}: {} games and {} rows added, {} already there",
            shard.directory().display(),
            merged.games,
            merged.rows,
            merged.known
        );
        print_line(out, &line)?;
    }
    let plan = kind.read(&spec, Some(&store))?;
    conclude(plan.as_ref(), &store, out)?;
    Ok(0)
}
