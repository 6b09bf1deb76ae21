//! What each command does.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use super::flags;
use super::folders;
use super::help;
use super::kinds::{Desk, Experiment, conclude};
use crate::experiments::tournament::{self, Tournament, config};
use engine_studies::calibrate::measure as measure_costs;
use engine_studies::lines::{Plan, make as make_lines};
use experiment::session::{Finish, Session};
use experiment::spec::Node;
use experiment::store::{FILE_NAME, Store};
use match_runner::internal::InternalPlayer;
use match_runner::openings::{Openings, Order, Reading};
use match_runner::stop::StopFlag;

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
        "resume" => folders::resume(&paths(rest), out, err, stop),
        "report" => folders::report(&paths(rest), out),
        "compare" => folders::compare(&paths(rest), out),
        "list" => folders::list(&paths(rest), out),
        "export" => folders::export(&paths(rest), out),
        "merge" => folders::merge(&paths(rest), out),
        "calibrate" => calibrate(rest, out, err, stop),
        "import" => import(rest, out, err),
        "eas" => super::eas::run(rest, out, err),
        "lines" => lines(rest, out, err, stop),
        word => {
            let Some(experiment) = Experiment::named(word) else {
                return Err(Failure::Usage(format!("unknown command '{word}'")));
            };
            let given = flags::read(lexopt::Parser::from_args(rest), experiment.flags())?;
            let directory = given.out.clone().unwrap_or_else(|| experiment.folder());
            experiment.run(&mut Desk { given: &given, directory: &directory, out, err, stop })
        }
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
    conclude(&tournament, &store, out)?;
    let finish = if import.left_out.is_empty() { Finish::Complete } else { Finish::WithFaults };
    Ok(finish.exit_code())
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
