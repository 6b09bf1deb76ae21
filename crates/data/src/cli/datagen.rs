//! `tabiya datagen`.

use super::arguments::Arguments;
use super::failure::Failure;
use super::network::evaluation;
use crate::generate::{Settings, generate};
use crate::play::{Openings, Play};
use kernel::Clock;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const HELP: &str = "\
Play the engine against itself and keep the games as training data.

Usage: tabiya datagen FOLDER [options]

Each thread writes FOLDER/selfplay-SEED-SHARD.games, whole games at four bytes a position. A block is
written at least every second while games end, and every 16 plies the game under way is kept in a file
beside it. Stopped or killed, the same command goes on where it was: a game depends on nothing but the
settings, its shard and its number (and the engine's version).

Options:
  --positions N      stop when the files hold so many (default 10M; k, M, G are understood)
  --nodes N          soft limit: no new iteration after so many nodes (default 5000)
  --hard-nodes N     never more than so many (default 20 times the soft limit)
  --openings FILE    begin at positions of this book, EPD, plain or compressed (default: the start position)
  --random-plies N   random plies before the first search, or one more (default 8; 2 with a book)
  --max-opening-score N
                     discard openings whose score is further from 0 than this (default 300 centipawns)
  --network FILE     play with this network (default: the hand-crafted evaluation)
  --threads N        (default 1)
  --hash N           megabytes for each thread (default 4)
  --seed N           (default 1)
  --shard N          number of the first thread's file (default 0)
  --interval N       seconds between two lines of progress (default 10)
";

const FLAGS: [&str; 12] = [
    "network",
    "positions",
    "nodes",
    "hard-nodes",
    "openings",
    "random-plies",
    "max-opening-score",
    "threads",
    "hash",
    "seed",
    "shard",
    "interval",
];

/// Runs the command until it has enough or `stop` is raised: progress goes to `err`, the sum to `out`.
pub fn datagen(
    words: &[String],
    clock: &Arc<dyn Clock>,
    stop: &AtomicBool,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Failure> {
    if words.iter().any(|word| matches!(word.as_str(), "help" | "--help" | "-h")) {
        return Ok(out.write_all(HELP.as_bytes())?);
    }
    let arguments = Arguments::read(words, &FLAGS, &[])?;
    let settings = settings(&arguments)?;
    let interval = Duration::from_secs(arguments.number("interval", 10, 1, 86_400)?);
    let done = generate(&settings, clock, stop, interval, &mut |progress| {
        // Progress that nobody reads is no reason to stop.
        let _ = writeln!(err, "{progress}");
    })
    .map_err(|error| Failure::Failed(error.to_string()))?;
    writeln!(out, "{done}")?;
    Ok(())
}

fn settings(arguments: &Arguments) -> Result<Settings, Failure> {
    let [folder] = arguments.names.as_slice() else {
        return Err(Failure::Usage(format!("{} folders, expected one (see --help)", arguments.names.len())));
    };
    let book = arguments.text("openings");
    let openings = match book {
        Some(path) => {
            Openings::open(Path::new(path)).map_err(|error| Failure::Failed(format!("--openings {error}")))?
        }
        None => Openings::default(),
    };
    let soft = arguments.number("nodes", 5000, 1, 1 << 30)?;
    let play = Play {
        soft_nodes: soft as u32,
        hard_nodes: arguments.number("hard-nodes", (20 * soft).min(1 << 31), 1, 1 << 31)? as u32,
        random_plies: arguments.number("random-plies", if book.is_some() { 2 } else { 8 }, 0, 100)? as usize,
        max_opening_score: arguments.number("max-opening-score", 300, 0, 30_000)? as i32,
        ..Play::default()
    };
    Ok(Settings {
        folder: PathBuf::from(folder),
        seed: arguments.number("seed", 1, 0, u64::MAX)?,
        first_shard: arguments.number("shard", 0, 0, 1 << 20)? as u32,
        threads: arguments.number("threads", 1, 1, 1024)? as u32,
        positions: arguments.number("positions", 10_000_000, 1, u64::MAX)?,
        megabytes: arguments.number("hash", 4, 1, 1 << 20)? as usize,
        play,
        openings,
        evaluation: evaluation(arguments)?,
    })
}
