//! `tabiya` without a command: an engine on standard input. Nothing is printed before the first command, except to a
//! person at a terminal.

use crate::cli::Failure;
use crate::clock;
use engine::Engine;
use protocol::{Identity, Output, serve};
use std::io::{BufReader, IsTerminal as _, Write as _};

pub fn identity() -> Identity {
    Identity { name: format!("Tabiya {}", env!("CARGO_PKG_VERSION")), author: "the Tabiya team".into() }
}

pub fn without_arguments() -> Result<(), Failure> {
    #[cfg(feature = "mpi")]
    if cluster::mpi::is_job() {
        return rank_of_a_job();
    }
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        writeln!(
            std::io::stdout(),
            "{}, a chess engine and chess laboratory.\n\n  \
             tabiya play     a game in this terminal\n  tabiya help     everything else\n\n\
             This prompt is for chess programs (UCI or XBoard). 'help' explains, 'quit' leaves.",
            identity().name
        )?;
    }
    let engine = Engine::new(clock::system()).map_err(Failure::failed)?;
    serve(engine, &identity(), BufReader::new(stdin), &Output::new(std::io::stdout()))?;
    Ok(())
}

/// One process of `mpirun`: the first is the engine on standard input, the others search with it.
#[cfg(feature = "mpi")]
fn rank_of_a_job() -> Result<(), Failure> {
    use cluster::{Job, Leader, follow, mpi::Mpi};
    use std::sync::Arc;

    let job = Job::start(Mpi::join, clock::system()).map_err(Failure::failed)?;
    let mut engine = Engine::new(clock::system()).map_err(Failure::failed)?;
    if job.number > 0 {
        let complain = |text| drop(writeln!(std::io::stderr(), "tabiya: rank {}: {text}", job.number));
        return follow(engine, &job.link, &job.orders, complain).map_err(Failure::failed);
    }
    engine.set_cluster(Arc::new(Leader::new(Arc::clone(&job.link)))).map_err(Failure::failed)?;
    let served =
        serve(engine, &identity(), BufReader::new(std::io::stdin()), &Output::new(std::io::stdout()));
    job.link.close();
    Ok(served?)
}
