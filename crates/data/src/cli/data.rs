//! `tabiya data`: what is done with games between playing and training.

use super::arguments::Arguments;
use super::{Failure, evaluation};
use crate::convert::{Conversion, convert};
use crate::game::GameRecord;
use crate::harvest::{Field, Reap, Yield, harvest};
use crate::import::import;
use crate::outlook::Mixing;
use crate::stats::Stats;
use kernel::Clock;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

const HELP: &str = "\
Look into, and prepare, files of games for training.

Usage: tabiya data COMMAND ...

  stats FILE ...                 games, plies, results, what is left out and why, scores, their scale
  convert FILE ... --out FILE    positions as 32-byte samples (bulletformat's layout), in the games' order
  import FILE.tsv.zst ... --out FILE
                                 games from elsewhere as positions without scores, one game a line
  export FILE ... --out FILE.tsv
                                 games as text, one a line, with each position's outlook in centipawns: for `tabiya tune`
  shuffle FILE --out FILE        the samples of a file in random order
  split FILE ... --out A --held-out B --hold-out N
                                 files of games into two, one game in N to the second
  rescore FILE ... --out FILE --nodes N
                                 the games with scores of this engine at N soft nodes (default 5000)
  harvest FILE ... --out FILE    searches positions of the games and keeps, as samples, every position of their trees whose score the
                                 table knows; the same command goes on after a stop

Options of convert (lambda and scale also of export):
  --held-out FILE    samples of one game in N (--hold-out, default 50) go there instead
  --children N       instead: each position and N random children of it, labelled by the evaluation alone
  --lambda X         weight of the plies that follow in a position's outlook (default 0.9)
  --scale X          centipawns that multiply the odds by e (default 200; `stats` fits it)
  --threads N        (default 1)
Options of harvest (and --held-out, --hold-out, --threads):
  --nodes N          nodes of each search (default 5000)
  --depth N          least depth of the search behind a label (default 4)
  --every N          one position in N of a game is searched (default 4)
  --network FILE     search with this network (default: the hand-crafted evaluation)
  --hash N           megabytes for each thread (default 4)
Options of import:
  --games N          at most so many games of each file
Everywhere:
  --seed N           (default 1)
";

/// Runs the command: results to `out`, warnings to `err`.
pub fn data(
    words: &[String],
    clock: &dyn Clock,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let Some((command, rest)) = words.split_first() else {
        return Err(Failure::Usage(
            "expected stats, convert, import, export, shuffle, split, rescore or harvest (see --help)"
                .to_string(),
        ));
    };
    if words.iter().any(|word| matches!(word.as_str(), "help" | "--help" | "-h")) {
        return Ok(out.write_all(HELP.as_bytes())?);
    }
    match command.as_str() {
        "stats" => stats(&Arguments::read(rest, &[])?, out, err),
        "convert" => {
            let known = ["out", "held-out", "hold-out", "children", "lambda", "scale", "threads", "seed"];
            run_convert(&Arguments::read(rest, &known)?, out, err)
        }
        "import" => run_import(&Arguments::read(rest, &["out", "games"])?, out, err),
        "export" => run_export(&Arguments::read(rest, &["out", "lambda", "scale"])?, out, err),
        "shuffle" => run_shuffle(&Arguments::read(rest, &["out", "seed"])?, out),
        "split" => run_split(&Arguments::read(rest, &["out", "held-out", "hold-out", "seed"])?, out, err),
        "rescore" => run_rescore(&Arguments::read(rest, &["out", "nodes"])?, out, err),
        "harvest" => {
            let known = [
                "out", "held-out", "hold-out", "nodes", "depth", "every", "network", "hash", "threads",
                "seed",
            ];
            run_harvest(&Arguments::read(rest, &known)?, clock, out, err)
        }
        other => Err(Failure::Usage(format!(
            "'{other}': expected stats, convert, import, export, shuffle, split, rescore or harvest (see --help)"
        ))),
    }
}

fn inputs(arguments: &Arguments) -> Result<Vec<PathBuf>, Failure> {
    if arguments.names.is_empty() {
        return Err(Failure::Usage("expected at least one file (see --help)".to_string()));
    }
    Ok(arguments.names.iter().map(PathBuf::from).collect())
}

fn output<'a>(arguments: &'a Arguments, flag: &str) -> Result<&'a Path, Failure> {
    let missing = || Failure::Usage(format!("--{flag} FILE: expected a place to write to"));
    arguments.text(flag).map(Path::new).ok_or_else(missing)
}

#[allow(clippy::needless_pass_by_value)] // so that it fits map_err
fn failed(error: impl ToString) -> Failure {
    Failure::Failed(error.to_string())
}

fn stats(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    let mut stats = Stats::default();
    for path in inputs(arguments)? {
        let mut broken = Vec::new();
        crate::file::read_all(&path, |game| stats.take(&game), |error| broken.push(error)).map_err(failed)?;
        for error in broken {
            writeln!(err, "{error}")?;
        }
    }
    write!(out, "{stats}")?;
    Ok(())
}

fn run_convert(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    let held_out = arguments.text("held-out").map(Path::new);
    let default_hold_out = if held_out.is_some() { 50 } else { 0 };
    let conversion = Conversion {
        mixing: mixing(arguments)?,
        hold_out: arguments.number("hold-out", default_hold_out, 0, 1 << 30)?,
        children: arguments.number("children", 0, 0, 218)? as usize,
        seed: arguments.number("seed", 1, 0, u64::MAX)?,
        threads: arguments.number("threads", 1, 1, 1024)? as usize,
    };
    let done =
        convert(&inputs(arguments)?, &conversion, output(arguments, "out")?, held_out).map_err(failed)?;
    for error in &done.broken {
        writeln!(err, "{error}")?;
    }
    writeln!(
        out,
        "{} games, {} plies: {} samples, {} held out",
        done.games, done.plies, done.training, done.held_out
    )?;
    Ok(())
}

fn mixing(arguments: &Arguments) -> Result<Mixing, Failure> {
    Ok(Mixing {
        lambda: arguments.real("lambda", 0.9, 0.0, 1.0)?,
        scale: arguments.real("scale", 200.0, 1.0, 10_000.0)?,
    })
}

fn run_export(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    let mixing = mixing(arguments)?;
    let path = output(arguments, "out")?;
    let fault = |error: std::io::Error| Failure::Failed(format!("{}: {error}", path.display()));
    let mut file = BufWriter::new(File::create(path).map_err(fault)?);
    let (mut games, mut written) = (0_u64, Ok(()));
    for path in inputs(arguments)? {
        let mut broken = Vec::new();
        let each = |game: &GameRecord| {
            games += 1;
            if written.is_ok() {
                written = writeln!(file, "{}", crate::export::line(game, mixing));
            }
        };
        let mut each = each;
        crate::file::read_all(&path, |game| each(&game), |error| broken.push(error)).map_err(failed)?;
        for error in broken {
            writeln!(err, "{error}")?;
        }
    }
    written.and_then(|()| file.flush()).map_err(fault)?;
    writeln!(out, "{games} games")?;
    Ok(())
}

fn run_import(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    let most = arguments.number("games", u64::MAX, 1, u64::MAX)?;
    let done = import(&inputs(arguments)?, most, output(arguments, "out")?).map_err(failed)?;
    if let Some(first) = &done.first_refusal {
        writeln!(err, "{} games left out, the first: {first}", done.refused)?;
    }
    writeln!(out, "{} games, {} plies", done.games, done.plies)?;
    Ok(())
}

fn run_shuffle(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let [path] = arguments.names.as_slice() else {
        return Err(Failure::Usage(format!("{} files, expected one", arguments.names.len())));
    };
    let seed = arguments.number("seed", 1, 0, u64::MAX)?;
    let count = crate::arrange::shuffle(Path::new(path), output(arguments, "out")?, seed).map_err(failed)?;
    writeln!(out, "{count} samples")?;
    Ok(())
}

fn run_split(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    let one_in = arguments.number("hold-out", 50, 2, 1 << 30)?;
    let seed = arguments.number("seed", 1, 0, u64::MAX)?;
    let (first, second) = (output(arguments, "out")?, output(arguments, "held-out")?);
    let counts = crate::arrange::split(&inputs(arguments)?, first, second, one_in, seed, &mut |error| {
        let _ = writeln!(err, "{error}");
    })
    .map_err(failed)?;
    writeln!(out, "{} games and {} games", counts[0], counts[1])?;
    Ok(())
}

fn run_rescore(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    let nodes = arguments.number("nodes", 5000, 1, 1 << 30)? as u32;
    let games =
        crate::arrange::rescore(&inputs(arguments)?, output(arguments, "out")?, nodes, &mut |error| {
            let _ = writeln!(err, "{error}");
        })
        .map_err(failed)?;
    writeln!(out, "{games} games")?;
    Ok(())
}

fn run_harvest(
    arguments: &Arguments,
    clock: &dyn Clock,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let one_in = arguments.number("hold-out", 50, 2, 1 << 30)?;
    let field = Field {
        inputs: inputs(arguments)?,
        out: output(arguments, "out")?.to_path_buf(),
        held_out: arguments.text("held-out").map(|path| (PathBuf::from(path), one_in)),
        reap: Reap {
            nodes: arguments.number("nodes", 5000, 1, 1 << 30)? as u32,
            depth: arguments.number("depth", 4, 1, 100)? as i32,
            every: arguments.number("every", 4, 1, 1000)? as usize,
        },
        evaluation: evaluation(arguments)?,
        seed: arguments.number("seed", 1, 0, u64::MAX)?,
        threads: arguments.number("threads", 1, 1, 1024)? as usize,
        megabytes: arguments.number("hash", 4, 1, 1 << 20)? as usize,
    };
    let started = clock.now();
    let mut first = None;
    let mut broken = Vec::new();
    let report = &mut |done: &Yield| {
        let seconds = clock.now().saturating_sub(started).as_secs_f64();
        // What an earlier run left says nothing about this one's speed.
        let (from, since) = *first.get_or_insert((done.blocks, seconds));
        let speed = (done.blocks - from) as f64 / (seconds - since).max(1e-9);
        let left = (done.all_blocks - done.blocks) as f64 / speed / 60.0;
        let left = if speed > 0.0 { format!(", {left:.0} min left") } else { String::new() };
        // Progress that nobody reads is no reason to stop.
        let _ =
            writeln!(err, "{} of {} blocks, {} samples{left}", done.blocks, done.all_blocks, done.samples);
    };
    let done = harvest(&field, report, &mut |error| broken.push(error)).map_err(failed)?;
    for error in broken {
        writeln!(err, "{error}")?;
    }
    writeln!(out, "{} samples, {} held out", done.samples, done.held_out)?;
    Ok(())
}
