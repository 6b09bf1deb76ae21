//! `tabiya data`: what is done with games between playing and training.

use super::arguments::Arguments;
use super::failure::Failure;
use super::network::evaluation;
use crate::convert::{Conversion, convert};
use crate::file::{FileError, read_all};
use crate::game::GameRecord;
use crate::import::import;
use crate::label_tree::{LabelTree, Progress, TreeLabels, label_tree};
use crate::lambda_return::TdLambda;
use crate::rescore::rescore;
use crate::shuffle::shuffle;
use crate::split::{HeldOut, Outputs, split};
use crate::stats::Stats;
use common::{clip, escape_control};
use kernel::Clock;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

const HELP: &str = "\
Look into, and prepare, files of games for training.

Usage: tabiya data COMMAND ...

  stats FILE ...                 games, plies, results, what is excluded and why, scores, their scale
  convert FILE ... --out FILE    positions as 32-byte samples (bulletformat's layout), in the games' order
  import FILE.tsv.zst ... --out FILE
                                 games from elsewhere as positions without scores, one game a line
  export FILE ... --out FILE.tsv
                                 games as text, one a line, with each position's lambda-return in centipawns: for
                                 `tabiya tune`
  shuffle FILE --out FILE        the samples of a file in random order
  split FILE ... --out A --held-out B --one-in N
                                 files of games into two, one game in N (default 50) to the second; the same game is
                                 always on the same side
  rescore FILE ... --out FILE --nodes N
                                 the games with scores of this engine at N soft nodes (default 5000)
  label-tree FILE ... --out FILE
                                 searches positions of the games and keeps, as samples, every position of their search
                                 trees whose score the transposition table holds; the same command goes on after a stop

A block of a games file that cannot be read is named and left out; the command then ends with an error.

Options of split and import:
  --overwrite        start anew where an output exists (without it, that is an error)
Options of convert (lambda and scale also of export):
  --held-out FILE    samples of one game in N (--one-in, default 50) go there instead
  --children N       instead: each position and N random children of it, labelled by the evaluation alone
  --lambda X         TD(lambda): weight of the plies that follow in a position's target (default 0.9)
  --scale X          centipawns that multiply the odds by e (default 200; `stats` fits it)
  --threads N        (default 1)
Options of label-tree (and --held-out, --one-in, --threads):
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

const COMMANDS: &str = "stats, convert, import, export, shuffle, split, rescore or label-tree (see --help)";

/// Runs the command: results to `out`, warnings to `err`.
pub fn data(
    words: &[String],
    clock: &dyn Clock,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let Some((command, rest)) = words.split_first() else {
        return Err(Failure::Usage(format!("expected {COMMANDS}")));
    };
    if words.iter().any(|word| matches!(word.as_str(), "help" | "--help" | "-h")) {
        return Ok(out.write_all(HELP.as_bytes())?);
    }
    let read = |known: &[&str]| Arguments::read(rest, known, &[]);
    match command.as_str() {
        "stats" => stats(&read(&[])?, out, err),
        "convert" => {
            let known = ["out", "held-out", "one-in", "children", "lambda", "scale", "threads", "seed"];
            run_convert(&read(&known)?, out, err)
        }
        "import" => run_import(&Arguments::read(rest, &["out", "games"], &["overwrite"])?, out, err),
        "export" => run_export(&read(&["out", "lambda", "scale"])?, out, err),
        "shuffle" => run_shuffle(&read(&["out", "seed"])?, out),
        "split" => {
            let known = ["out", "held-out", "one-in", "seed"];
            run_split(&Arguments::read(rest, &known, &["overwrite"])?, out, err)
        }
        "rescore" => run_rescore(&read(&["out", "nodes"])?, out, err),
        // `harvest` is the earlier spelling.
        "label-tree" | "harvest" => {
            let known = [
                "out", "held-out", "one-in", "nodes", "depth", "every", "network", "hash", "threads", "seed",
            ];
            run_label_tree(&read(&known)?, clock, out, err)
        }
        other => Err(Failure::Usage(format!("'{}': expected {COMMANDS}", clip(other, 40)))),
    }
}

/// Blocks that could not be read: each is named at once, and at the end the command has failed.
struct BrokenBlocks<'a> {
    err: &'a mut dyn Write,
    count: u64,
}

impl<'a> BrokenBlocks<'a> {
    fn new(err: &'a mut dyn Write) -> Self {
        BrokenBlocks { err, count: 0 }
    }

    fn add(&mut self, error: &impl ToString) {
        self.count += 1;
        // A message that nobody reads is no reason to stop; the exit code says it too.
        let _ = writeln!(self.err, "{}", error.to_string());
    }

    fn end(&self) -> Result<(), Failure> {
        match self.count {
            0 => Ok(()),
            1 => Err(Failure::Failed("1 block could not be read and was left out".to_string())),
            count => Err(Failure::Failed(format!("{count} blocks could not be read and were left out"))),
        }
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
    let mut broken = BrokenBlocks::new(err);
    for path in inputs(arguments)? {
        read_all(&path, |game| stats.take(&game), |error| broken.add(&error)).map_err(failed)?;
    }
    write!(out, "{stats}")?;
    broken.end()
}

fn run_convert(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    let held_out = arguments.text("held-out").map(Path::new);
    let default_one_in = if held_out.is_some() { 50 } else { 0 };
    let conversion = Conversion {
        td: td_lambda(arguments)?,
        one_in: arguments.number("one-in", default_one_in, 0, 1 << 30)?,
        children: arguments.number("children", 0, 0, 218)? as usize,
        seed: arguments.number("seed", 1, 0, u64::MAX)?,
        threads: arguments.number("threads", 1, 1, 1024)? as usize,
    };
    let done =
        convert(&inputs(arguments)?, &conversion, output(arguments, "out")?, held_out).map_err(failed)?;
    let mut broken = BrokenBlocks::new(err);
    for error in &done.broken {
        broken.add(error);
    }
    writeln!(
        out,
        "{} games, {} plies: {} samples, {} held out",
        done.games, done.plies, done.training, done.held_out
    )?;
    broken.end()
}

fn td_lambda(arguments: &Arguments) -> Result<TdLambda, Failure> {
    Ok(TdLambda {
        lambda: arguments.real("lambda", 0.9, 0.0, 1.0)?,
        scale: arguments.real("scale", 200.0, 1.0, 10_000.0)?,
    })
}

fn run_export(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    let td = td_lambda(arguments)?;
    let path = output(arguments, "out")?;
    let fault = |error: std::io::Error| failed(FileError::of_file(path, error.to_string()));
    let mut file = BufWriter::new(File::create(path).map_err(fault)?);
    let (mut games, mut written) = (0_u64, Ok(()));
    let mut broken = BrokenBlocks::new(err);
    for path in inputs(arguments)? {
        let each = |game: GameRecord| {
            games += 1;
            if written.is_ok() {
                written = writeln!(file, "{}", crate::export::line(&game, td));
            }
        };
        read_all(&path, each, |error| broken.add(&error)).map_err(failed)?;
    }
    written.and_then(|()| file.flush()).map_err(fault)?;
    writeln!(out, "{games} games")?;
    broken.end()
}

fn run_import(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    let most = arguments.number("games", u64::MAX, 1, u64::MAX)?;
    let done = import(&inputs(arguments)?, most, output(arguments, "out")?, arguments.has("overwrite"))
        .map_err(failed)?;
    if let Some(first) = &done.first_refusal {
        let first = escape_control(first);
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
    let count = shuffle(Path::new(path), output(arguments, "out")?, seed).map_err(failed)?;
    writeln!(out, "{count} samples")?;
    Ok(())
}

fn run_split(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    let choice = HeldOut {
        one_in: arguments.number("one-in", 50, 2, 1 << 30)?,
        seed: arguments.number("seed", 1, 0, u64::MAX)?,
    };
    let outputs = Outputs {
        training: output(arguments, "out")?,
        held_out: output(arguments, "held-out")?,
        overwrite: arguments.has("overwrite"),
    };
    let mut broken = BrokenBlocks::new(err);
    let counts =
        split(&inputs(arguments)?, &outputs, choice, &mut |error| broken.add(&error)).map_err(failed)?;
    writeln!(out, "{} games and {} games", counts[0], counts[1])?;
    broken.end()
}

fn run_rescore(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    let nodes = arguments.number("nodes", 5000, 1, 1 << 30)? as u32;
    let mut broken = BrokenBlocks::new(err);
    let games =
        rescore(&inputs(arguments)?, output(arguments, "out")?, nodes, &mut |error| broken.add(&error))
            .map_err(failed)?;
    writeln!(out, "{games} games")?;
    broken.end()
}

fn run_label_tree(
    arguments: &Arguments,
    clock: &dyn Clock,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let one_in = arguments.number("one-in", 50, 2, 1 << 30)?;
    let settings = LabelTree {
        inputs: inputs(arguments)?,
        out: output(arguments, "out")?.to_path_buf(),
        held_out: arguments.text("held-out").map(|path| (PathBuf::from(path), one_in)),
        labels: TreeLabels {
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
    let mut found = Vec::new();
    let report = &mut |done: &Progress| {
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
    let done = label_tree(&settings, report, &mut |error| found.push(error)).map_err(failed)?;
    writeln!(out, "{} samples, {} held out", done.samples, done.held_out)?;
    let mut broken = BrokenBlocks::new(err);
    for error in found {
        broken.add(&error);
    }
    broken.end()
}
