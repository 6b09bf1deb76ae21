//! The proving ground: tests of search ideas, one after another on all cores, at fixed nodes, written to a ledger.
//!
//!     cargo run --profile quick -p search --example proving_ground -- queue crates/search/examples/proving_ground/queues/numbers.txt
//!     cargo run --profile quick -p search --example proving_ground -- bench -probcut
//!
//! Both sides are this build with techniques switched off or numbers changed, in one process and without a protocol, so
//! that a game of 5,000 nodes a move costs a second of one core. `results/engine/ledger.md` explains
//! the ledger, `queue.rs` the queue.

mod ledger;
mod play;
mod queue;
mod side;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const USAGE: &str =
    "proving_ground queue FILE [--ledger CSV] [--threads N] [--minutes N] | proving_ground bench [SIDE]";

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("proving_ground: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let option = |name: &str| {
        arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1))
    };
    match arguments.first().map(String::as_str) {
        Some("bench") => {
            println!("{}", side::Side::parse(arguments.get(1).map_or("", String::as_str))?.bench()?);
            Ok(())
        }
        Some("queue") => {
            let file = arguments.get(1).ok_or(USAGE)?;
            let ledger =
                PathBuf::from(option("--ledger").map_or("results/engine/ledger.csv", String::as_str));
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let threads = option("--threads").map_or(Ok(cores), |count| count.parse())?;
            let minutes = option("--minutes").map(|minutes| minutes.parse::<f64>()).transpose()?;
            let time = minutes.map(|minutes| Duration::try_from_secs_f64(minutes * 60.0)).transpose()?;
            let deadline = time.and_then(|time| Instant::now().checked_add(time));
            queue::run(&queue::read(file)?, &ledger, &queue::Resources { threads, deadline })
        }
        _ => Err(USAGE.into()),
    }
}
