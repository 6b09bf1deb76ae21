//! What each command does.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::Failure;
use super::flags::{self, Given};
use super::help;
use crate::experiments::calibrate::measure as measure_costs;
use crate::experiments::laser::{self, Laser};
use crate::experiments::lines::{Plan, make as make_lines};
use crate::experiments::people;
use crate::experiments::profile::{self, Profile};
use crate::experiments::spsa::{self, Tuning};
use crate::experiments::study::{self, Study};
use crate::experiments::tournament::{self, Kind, Tournament, config};
use crate::experiments::{Finish, Session};
use crate::runner::internal::InternalPlayer;
use crate::runner::openings::{Openings, Order, Reading};
use crate::runner::stop::StopFlag;
use crate::spec::{Node, Spec};
use crate::store::{FILE_NAME, Store};

/// Reads the command's name and goes there.
pub(super) fn dispatch(
    arguments: Vec<OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &StopFlag,
) -> Result<u8, Failure> {
    let mut arguments = arguments.into_iter();
    let command =
        arguments.next().map_or_else(|| "help".to_owned(), |word| word.to_string_lossy().into_owned());
    let rest: Vec<OsString> = arguments.collect();
    // `lab match --help` is asked for as often as `lab help`.
    let asks_for_help = rest.iter().any(|word| word == "--help" || word == "-h");
    match command.as_str() {
        "help" | "--help" | "-h" => print(out, &help::text()).map(|()| 0),
        "eas" if asks_for_help => print(out, super::eas::HELP).map(|()| 0),
        _ if asks_for_help => print(out, &help::text()).map(|()| 0),
        "resume" => resume(&paths(rest), out, err, stop),
        "report" => report(&paths(rest), out),
        "compare" => compare(&paths(rest), out),
        "list" => list(&paths(rest), out),
        "export" => export(&paths(rest), out),
        "merge" => merge(&paths(rest), out),
        "calibrate" => calibrate(rest, out, err, stop),
        "import" => import(rest, out, err),
        "eas" => super::eas::run(rest, out, err),
        "lines" => lines(rest, out, err, stop),
        spsa::config::KIND => {
            let given = flags::read(lexopt::Parser::from_args(rest), &flags::TUNING)?;
            let directory = given.out.clone().unwrap_or_else(|| PathBuf::from("lab-spsa"));
            tune(&given, &directory, out, err, stop)
        }
        laser::config::KIND => {
            let given = flags::read(lexopt::Parser::from_args(rest), &flags::LASER)?;
            let directory = given.out.clone().unwrap_or_else(|| PathBuf::from("lab-laser"));
            shine(&given, &directory, out, err, stop)
        }
        profile::config::KIND => {
            let given = flags::read(lexopt::Parser::from_args(rest), &flags::PROFILE)?;
            let directory = given.out.clone().unwrap_or_else(|| PathBuf::from("lab-profile"));
            examine(&given, &directory, out, err, stop)
        }
        people::config::KIND => {
            let given = flags::read(lexopt::Parser::from_args(rest), &flags::PEOPLE)?;
            let directory = given.out.clone().unwrap_or_else(|| PathBuf::from("lab-human"));
            meet(&given, &directory, out, err, stop)
        }
        word => match Kind::parse(word) {
            Some(kind) => {
                let parser = lexopt::Parser::from_args(rest);
                let given = flags::read(parser, &flags::TOURNAMENT)?;
                let directory =
                    given.out.clone().unwrap_or_else(|| PathBuf::from(format!("lab-{}", kind.as_str())));
                play(kind, &given, &directory, out, err, stop)
            }
            None => match study::Kind::parse(word) {
                Some(kind) => {
                    let given = flags::read(lexopt::Parser::from_args(rest), &flags::STUDY)?;
                    let directory =
                        given.out.clone().unwrap_or_else(|| PathBuf::from(format!("lab-{}", kind.as_str())));
                    measure(kind, &given, &directory, out, err, stop)
                }
                None => Err(Failure::Usage(format!("unknown command '{word}'"))),
            },
        },
    }
}

/// `lines --from BOOK`: positions made as seed 001 made its 600.
fn lines(
    words: Vec<OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &StopFlag,
) -> Result<u8, Failure> {
    use lexopt::{Arg, ValueExt};
    let mut parser = lexopt::Parser::from_args(words);
    let mut plan = Plan::default();
    let mut reading = Reading { order: Order::Random, seed: plan.seed, plies: 20 };
    let mut from: Option<PathBuf> = None;
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("from") => from = Some(PathBuf::from(parser.value()?)),
            Arg::Long("plies") => reading.plies = parser.value()?.parse()?,
            Arg::Long("lines") => plan.lines = parser.value()?.parse()?,
            Arg::Long("length") => plan.length = parser.value()?.parse()?,
            Arg::Long("depth") => plan.depth = parser.value()?.parse()?,
            Arg::Long("seed") => plan.seed = parser.value()?.parse()?,
            other => return Err(other.unexpected().into()),
        }
    }
    let from = from.ok_or_else(|| {
        Failure::Usage("lines: expected --from FILE, played games or positions to start from".to_owned())
    })?;
    if plan.lines == 0 || plan.length == 0 || plan.depth == 0 {
        return Err(Failure::Usage("lines: --lines, --length and --depth must be at least 1".to_owned()));
    }
    reading.seed = plan.seed;
    let originals = Openings::read(&from, reading)?;
    let mut player =
        InternalPlayer::start("tabiya", &BTreeMap::new(), stop).map_err(|fault| fault.to_string())?;
    let mut session = Session { progress: err, stop: stop.clone(), verbose: false };
    print(out, &make_lines(plan, &originals, &mut player, &mut session)?)?;
    Ok(0)
}

/// `calibrate`: the costs of virtual time, measured here.
fn calibrate(
    words: Vec<OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &StopFlag,
) -> Result<u8, Failure> {
    use lexopt::{Arg, ValueExt};
    let (mut depth, mut rounds) = (13, 2000);
    let mut parser = lexopt::Parser::from_args(words);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("depth") => depth = parser.value()?.parse()?,
            Arg::Long("rounds") => rounds = parser.value()?.parse()?,
            other => return Err(other.unexpected().into()),
        }
    }
    if !(1..=40).contains(&depth) || rounds == 0 {
        return Err(Failure::Usage("calibrate: --depth from 1 to 40, --rounds at least 1".to_owned()));
    }
    let mut session = Session { progress: err, stop: stop.clone(), verbose: false };
    print(out, &measure_costs(depth, rounds, &mut session)?.table())?;
    Ok(0)
}

/// `import FILE.pgn..`: games that another program ran; `import openbench FILE..`: what an OpenBench server hands out.
fn import(words: Vec<OsString>, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
    let (mut files, mut given) = flags::read_files(lexopt::Parser::from_args(words), &flags::IMPORT)?;
    let from_openbench = files.first().is_some_and(|word| word.as_os_str() == "openbench");
    if from_openbench {
        files.remove(0);
    }
    if files.is_empty() {
        let expected =
            if from_openbench { "archives, PGN files and a result" } else { "one or more PGN files" };
        return Err(Failure::Usage(format!("import: expected {expected}")));
    }
    let directory = given.out.clone().unwrap_or_else(|| PathBuf::from("lab-import"));
    if directory.join(FILE_NAME).exists() {
        let reason = format!("{}: holds an experiment already; choose another --out", directory.display());
        return Err(Failure::Failed(reason));
    }
    let mut reader = std::mem::take(&mut given.spec).reader("import");
    let each = reader.table("each")?.unwrap_or_default();
    let mut ratings = BTreeMap::new();
    for rating in reader.tables("rating")? {
        let (Some(name), Some(elo)) = (rating.text("name"), rating.text("elo")) else {
            return Err(Failure::Usage("import: a rating needs name=NAME and elo=R".to_owned()));
        };
        ratings.insert(name.to_owned(), elo.to_owned());
    }
    let name = reader.text("name")?;
    let (mut import, told) = if from_openbench {
        tournament::openbench::read(&files, each, &ratings)?
    } else {
        (tournament::import::read(&files, each, &ratings)?, None)
    };
    if let Some(name) = name {
        import.spec.set("name", Node::Text(name));
    }
    let tournament = Tournament::recall(import.kind, &import.spec)?;
    let kind = import.kind.as_str();
    let store = Store::open_or_create(&directory, kind, &tournament.name, &import.spec, &config::VOLATILE)?;
    if let Some(told) = told {
        store.note_environment("as told", &told)?;
        print(out, &(told + "\n"))?;
    }
    for game in &import.games {
        store.record_game(&game.task, 0, (&game.white, &game.black), &game.record)?;
    }
    for reason in &import.left_out {
        // The games matter, not whether anyone reads this.
        let _ = writeln!(err, "left out: {reason}");
    }
    let finish = if import.left_out.is_empty() { Finish::Complete } else { Finish::WithFaults };
    conclude(&tournament, &store, finish, out)
}

fn paths(words: Vec<OsString>) -> Vec<PathBuf> {
    words.into_iter().map(PathBuf::from).collect()
}

/// A closed pipe on the other side is the reader's choice, anything else is worth an error.
pub(super) fn print(out: &mut dyn Write, text: &str) -> Result<(), Failure> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::Failed(format!("cannot write the result: {error}"))),
    }
}

fn play(
    kind: Kind,
    given: &Given,
    directory: &Path,
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &StopFlag,
) -> Result<u8, Failure> {
    if let Some(other) = given.spec.text("experiment")
        && other != kind.as_str()
    {
        return Err(Failure::Usage(format!(
            "the file describes '{other}', the command is '{}'",
            kind.as_str()
        )));
    }
    let tournament = Tournament::read(kind, &given.spec)?;
    let spec = &given.spec;
    let mut store =
        Store::open_or_create(directory, kind.as_str(), &tournament.name, spec, &config::VOLATILE)?;
    let mut session = Session { progress: err, stop: stop.clone(), verbose: given.verbose };
    let finish = tournament::run(&tournament, &mut store, &mut session)?;
    conclude(&tournament, &store, finish, out)
}

fn measure(
    kind: study::Kind,
    given: &Given,
    directory: &Path,
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &StopFlag,
) -> Result<u8, Failure> {
    let study = Study::read(kind, &given.spec)?;
    let volatile = &study::config::VOLATILE;
    let mut store = Store::open_or_create(directory, kind.as_str(), &study.name, &given.spec, volatile)?;
    let mut session = Session { progress: err, stop: stop.clone(), verbose: given.verbose };
    let finish = study::run(&study, &mut store, &mut session)?;
    let rows: Vec<_> = store.rows()?.iter().filter_map(study::rows::Measured::read).collect();
    let table = crate::report::study::table(&study, &rows);
    hand_over(&store, &table, &crate::report::study::render(&study, &store)?, out)?;
    Ok(finish.exit_code())
}

fn tune(
    given: &Given,
    directory: &Path,
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &StopFlag,
) -> Result<u8, Failure> {
    let tuning = Tuning::read(&given.spec)?;
    let (kind, volatile) = (spsa::config::KIND, &spsa::config::VOLATILE);
    let mut store = Store::open_or_create(directory, kind, &tuning.name, &given.spec, volatile)?;
    let mut session = Session { progress: err, stop: stop.clone(), verbose: given.verbose };
    let finish = spsa::run(&tuning, &mut store, &mut session)?;
    let table = crate::report::spsa::table(&tuning, &spsa::run::results(&store.rows()?));
    hand_over(&store, &table, &crate::report::spsa::render(&tuning, &store)?, out)?;
    Ok(finish.exit_code())
}

fn meet(
    given: &Given,
    directory: &Path,
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &StopFlag,
) -> Result<u8, Failure> {
    let study = people::Study::read(&given.spec)?;
    let (kind, volatile) = (people::config::KIND, &people::config::VOLATILE);
    let mut store = Store::open_or_create(directory, kind, &study.name, &given.spec, volatile)?;
    let mut session = Session { progress: err, stop: stop.clone(), verbose: given.verbose };
    let finish = people::run(&study, &mut store, &mut session)?;
    let table = crate::report::people::table(&store)?;
    hand_over(&store, &table, &crate::report::people::render(&study, &store)?, out)?;
    Ok(finish.exit_code())
}

fn examine(
    given: &Given,
    directory: &Path,
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &StopFlag,
) -> Result<u8, Failure> {
    let examined = Profile::read(&given.spec)?;
    let (kind, volatile) = (profile::config::KIND, &profile::config::VOLATILE);
    let mut store = Store::open_or_create(directory, kind, &examined.name, &given.spec, volatile)?;
    let mut session = Session { progress: err, stop: stop.clone(), verbose: given.verbose };
    let finish = profile::run(&examined, &mut store, &mut session)?;
    let table = crate::report::profile::table(&examined, &store.rows()?);
    hand_over(&store, &table, &crate::report::profile::render(&examined, &store)?, out)?;
    Ok(finish.exit_code())
}

fn shine(
    given: &Given,
    directory: &Path,
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &StopFlag,
) -> Result<u8, Failure> {
    let study = Laser::read(&given.spec)?;
    let (kind, volatile) = (laser::config::KIND, &laser::config::VOLATILE);
    let mut store = Store::open_or_create(directory, kind, &study.name, &given.spec, volatile)?;
    let mut session = Session { progress: err, stop: stop.clone(), verbose: given.verbose };
    let finish = laser::run(&study, &mut store, &mut session)?;
    let table = crate::report::laser::table(&study, &store.rows()?);
    hand_over(&store, &table, &crate::report::laser::render(&study, &store)?, out)?;
    Ok(finish.exit_code())
}

/// Prints the table of an experiment in rows and writes its rows and its report.
fn hand_over(store: &Store, table: &str, page: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let directory = store.directory();
    print(out, table)?;
    write_file(directory, "rows.csv", &store.export_csv()?)?;
    write_file(directory, "report.html", page)?;
    print(out, &format!("report: {}\n", directory.join("report.html").display()))
}

/// Writes the files a reader wants and prints the table.
fn conclude(
    tournament: &Tournament,
    store: &Store,
    finish: Finish,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let games = store.games()?;
    let standings = tournament::run::standings_of(tournament, &games)?;
    print(out, &(tournament::table::render(tournament, &standings) + "\n"))?;
    write_file(store.directory(), "games.csv", &store.export_csv()?)?;
    write_file(store.directory(), "games.pgn", &store.export_pgn()?)?;
    write_file(store.directory(), "final.epd", &store.export_epd()?)?;
    write_file(store.directory(), "report.html", &crate::report::tournament::render(tournament, store)?)?;
    print(out, &format!("report: {}\n", store.directory().join("report.html").display()))?;
    Ok(finish.exit_code())
}

/// Redraws the report from the data.
fn report(words: &[PathBuf], out: &mut dyn Write) -> Result<u8, Failure> {
    let [directory] = words else { return Err(Failure::Usage("report: expected one folder".to_owned())) };
    let store = Store::open(directory)?;
    let description = store.description()?;
    let page = if let Some(kind) = study::Kind::parse(&description.kind) {
        crate::report::study::render(&Study::recall(kind, &description.spec, &store.rows()?)?, &store)?
    } else if description.kind == spsa::config::KIND {
        crate::report::spsa::render(&Tuning::recall(&description.spec)?, &store)?
    } else if description.kind == laser::config::KIND {
        crate::report::laser::render(&Laser::read(&description.spec)?, &store)?
    } else if description.kind == profile::config::KIND {
        crate::report::profile::render(&Profile::recall(&description.spec, &store.rows()?)?, &store)?
    } else if description.kind == people::config::KIND {
        crate::report::people::render(&people::Study::recall(&description.spec)?, &store)?
    } else {
        crate::report::tournament::render(&tournament_of(&store)?, &store)?
    };
    write_file(directory, "report.html", &page)?;
    print(out, &format!("report: {}\n", directory.join("report.html").display()))?;
    Ok(0)
}

/// The tournament a store describes.
fn tournament_of(store: &Store) -> Result<Tournament, Failure> {
    let description = store.description()?;
    let kind = Kind::parse(&description.kind).ok_or_else(|| {
        Failure::Failed(format!("{}: unknown kind '{}'", store.directory().display(), description.kind))
    })?;
    Ok(Tournament::recall(kind, &description.spec)?)
}

/// Two matches side by side.
fn compare(words: &[PathBuf], out: &mut dyn Write) -> Result<u8, Failure> {
    let [one, other] = words else { return Err(Failure::Usage("compare: expected two folders".to_owned())) };
    let mut estimates = Vec::new();
    for directory in [one, other] {
        let store = Store::open(directory)?;
        let tournament = tournament_of(&store)?;
        let standings = tournament::run::standings_of(&tournament, &store.games()?)?;
        let (games, pairs) = (standings.versus(0, 1), standings.pairs(0, 1));
        print(out, &format!("{} ({})\n", directory.display(), tournament.heading()))?;
        print(out, &tournament::table::score_lines(&games, &pairs))?;
        estimates.push(pairs.estimate().or_else(|| games.estimate()));
    }
    let [Some(first), Some(second)] = estimates[..] else {
        print(out, "one of them has no games yet\n")?;
        return Ok(0);
    };
    let difference = first.score - second.score;
    let error = first.standard_error().hypot(second.standard_error());
    let standard = if error > 0.0 { difference / error } else { 0.0 };
    let agree = if standard.abs() < crate::stats::normal::Z95 { "agree within error" } else { "differ" };
    let line = format!(
        "difference: {:+.1} Elo, {standard:+.2} standard errors: the two results {agree}\n",
        first.elo() - second.elo()
    );
    print(out, &line)?;
    Ok(0)
}

fn write_file(directory: &Path, name: &str, text: &str) -> Result<(), Failure> {
    let path = directory.join(name);
    std::fs::write(&path, text).map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
}

fn resume(
    words: &[PathBuf],
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &StopFlag,
) -> Result<u8, Failure> {
    let [directory] = words else { return Err(Failure::Usage("resume: expected one folder".to_owned())) };
    let description = Store::open(directory)?.description()?;
    let given = Given { spec: description.spec, ..Given::default() };
    if let Some(kind) = study::Kind::parse(&description.kind) {
        return measure(kind, &given, directory, out, err, stop);
    }
    if description.kind == spsa::config::KIND {
        return tune(&given, directory, out, err, stop);
    }
    if description.kind == laser::config::KIND {
        return shine(&given, directory, out, err, stop);
    }
    if description.kind == profile::config::KIND {
        return examine(&given, directory, out, err, stop);
    }
    if description.kind == people::config::KIND {
        return meet(&given, directory, out, err, stop);
    }
    let Some(kind) = Kind::parse(&description.kind) else {
        return Err(Failure::Failed(format!("{}: unknown kind '{}'", directory.display(), description.kind)));
    };
    play(kind, &given, directory, out, err, stop)
}

fn list(words: &[PathBuf], out: &mut dyn Write) -> Result<u8, Failure> {
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
        text.push_str(&line);
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

fn export(words: &[PathBuf], out: &mut dyn Write) -> Result<u8, Failure> {
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

fn merge(words: &[PathBuf], out: &mut dyn Write) -> Result<u8, Failure> {
    let [into, from @ ..] = words else {
        return Err(Failure::Usage("merge: expected a folder to merge into and folders to merge".to_owned()));
    };
    if from.is_empty() {
        return Err(Failure::Usage("merge: nothing to merge, expected two folders or more".to_owned()));
    }
    let first = Store::open(&from[0])?.description()?;
    if first.kind == spsa::config::KIND {
        let reason =
            "merge: every iteration of a tuning run stands on the one before; there is nothing to merge";
        return Err(Failure::Usage(reason.to_owned()));
    }
    let mut spec: Spec = first.spec;
    spec.remove("shard");
    let volatile: &[&str] = match first.kind.as_str() {
        people::config::KIND => &people::config::VOLATILE,
        profile::config::KIND => &profile::config::VOLATILE,
        laser::config::KIND => &laser::config::VOLATILE,
        kind if study::Kind::parse(kind).is_some() => &study::config::VOLATILE,
        _ => &config::VOLATILE,
    };
    let mut store = Store::open_or_create(into, &first.kind, &first.name, &spec, volatile)?;
    for directory in from {
        let other = Store::open(directory)?;
        let description = other.description()?;
        let (mut theirs, mut ours) = (description.spec, spec.clone());
        for name in volatile {
            theirs.remove(name);
            ours.remove(name);
        }
        let names = theirs.differences(&ours);
        if description.kind != first.kind || !names.is_empty() {
            let reason =
                format!("{}: another experiment, which differs in {}", directory.display(), names.join(", "));
            return Err(Failure::Failed(reason));
        }
        let merged = store.merge(&other)?;
        let line = format!(
            "{}: {} games and {} rows added, {} already there\n",
            directory.display(),
            merged.games,
            merged.rows,
            merged.known
        );
        print(out, &line)?;
    }
    Ok(0)
}
