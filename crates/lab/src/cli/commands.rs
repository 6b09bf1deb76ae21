//! What each command does.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use engine_studies::calibrate::measure as measure_costs;
use engine_studies::lines::{Plan, make as make_lines};
use experiment::failure::Failure;
use experiment::flags;
use experiment::runner::{self, Output, print};
use experiment::session::Session;
use match_runner::internal::InternalPlayer;
use match_runner::openings::{Openings, Order, Reading};
use match_runner::stop::StopFlag;

use super::{eas, folders, help, import, studies};
use crate::experiments::kind_named;
use crate::openings::{self, BANDS};

/// Reads the name of the command and runs it.
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
    let kind = kind_named(&command);
    if rest.iter().any(|word| word == "--help" || word == "-h") {
        let text = match (kind, command.as_str()) {
            (Some(kind), _) => help::of_kind(kind),
            (None, "eas") => eas::HELP.to_owned(),
            _ => help::text(),
        };
        return print(out, &text).map(|()| 0);
    }
    if let Some(kind) = kind {
        let given = flags::read(lexopt::Parser::from_args(rest), kind.flags())?;
        let directory = given.out.clone().unwrap_or_else(|| PathBuf::from(format!("lab-{}", kind.kind())));
        return runner::run(kind, &given, &directory, &mut Output { out, err, stop });
    }
    match command.as_str() {
        "help" | "--help" | "-h" => print(out, &help::text()).map(|()| 0),
        "resume" => folders::resume(&paths(rest), &mut Output { out, err, stop }),
        "report" => folders::report(&paths(rest), out),
        "figures" => folders::figures(&paths(rest), out),
        "compare" => folders::compare(&paths(rest), out),
        "list" => folders::list(&paths(rest), out),
        "export" => folders::export(&paths(rest), out),
        "merge" => folders::merge(&paths(rest), out),
        "calibrate" => calibrate(rest, out, err, stop),
        "import" => import::run(rest, out, err),
        "eas" => eas::run(rest, out, err),
        "lines" => lines(rest, out, err, stop),
        "openings" => draw_openings(rest, out, err, stop),
        "studies" => studies::list(out),
        "run" => studies::run(rest, &mut Output { out, err, stop }),
        word => Err(Failure::Usage(format!("unknown command '{word}'"))),
    }
}

/// `lines --from BOOK`: positions made as Brange 2021 (KLAS) made 600.
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

/// `openings`: an opening set drawn from the counts of what people play.
fn draw_openings(
    words: Vec<OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &StopFlag,
) -> Result<u8, Failure> {
    use lexopt::{Arg, ValueExt};
    let mut parser = lexopt::Parser::from_args(words);
    let mut plan = openings::Plan::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("count") => plan.count = parser.value()?.parse()?,
            Arg::Long("plies") => plan.plies = parser.value()?.parse()?,
            Arg::Long("random-plies") => plan.random_plies = parser.value()?.parse()?,
            Arg::Long("least") => plan.least = parser.value()?.parse()?,
            Arg::Long("most") => plan.most = parser.value()?.parse()?,
            Arg::Long("depth") => plan.depth = parser.value()?.parse()?,
            Arg::Long("seed") => plan.seed = parser.value()?.parse()?,
            Arg::Long("band") => {
                let word = parser.value()?.string()?;
                let known = BANDS.iter().find(|(name, _)| *name == word);
                let names: Vec<&str> = BANDS.iter().map(|(name, _)| *name).collect();
                plan.band = known.map(|(_, band)| *band).ok_or_else(|| {
                    Failure::Usage(format!("openings: --band '{word}', expected {}", names.join(", ")))
                })?;
            }
            other => return Err(other.unexpected().into()),
        }
    }
    let plies = plan.plies + plan.random_plies;
    if plan.count == 0
        || plies == 0
        || plies > 100
        || plan.depth == 0
        || plan.least < 0
        || plan.most < plan.least
    {
        let expected = "--count and --depth of at least 1, 1 to 100 plies, 0 <= --least <= --most";
        return Err(Failure::Usage(format!("openings: expected {expected}")));
    }
    let options = BTreeMap::from([("Hash".to_owned(), "8".to_owned())]);
    let mut player = InternalPlayer::start("tabiya", &options, stop).map_err(|fault| fault.to_string())?;
    let mut session = Session { progress: err, stop: stop.clone(), verbose: false };
    print(out, &openings::draw(plan, &mut player, &mut session)?)?;
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

fn paths(words: Vec<OsString>) -> Vec<PathBuf> {
    words.into_iter().map(PathBuf::from).collect()
}
