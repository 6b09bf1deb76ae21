//! `tabiya datagen`: games of the engine against itself; `tabiya data`: what is done with them before training.

use crate::cli::{Command, Failure, Run};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub const DATAGEN: Command = Command {
    name: "datagen",
    summary: "Play the engine against itself and keep the games as training data; `--help` explains",
    arguments: "FOLDER",
    flags: &[],
    examples: &["tabiya datagen games --positions 10M --nodes 5000 --threads 8"],
    run: Run::Raw(datagen),
};

pub const DATA: Command = Command {
    name: "data",
    summary: "Look into and prepare files of games for training; `--help` lists what it can do",
    arguments: "COMMAND ...",
    flags: &[],
    examples: &["tabiya data stats games/*.games", "tabiya data convert games/*.games --out train.samples"],
    run: Run::Raw(prepare),
};

fn prepare(arguments: &[String]) -> Result<(), Failure> {
    let clock = crate::clock::system();
    data::cli::data(arguments, &*clock, &mut std::io::stdout(), &mut std::io::stderr()).map_err(failure)
}

fn datagen(arguments: &[String]) -> Result<(), Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    // The first Ctrl-C ends the run after the present games; what was played is kept.
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed)).map_err(Failure::failed)?;
    let clock = crate::clock::system();
    data::cli::datagen(arguments, &clock, &stop, &mut std::io::stdout(), &mut std::io::stderr())
        .map_err(failure)
}

fn failure(failure: data::cli::Failure) -> Failure {
    match failure {
        data::cli::Failure::Usage(text) => Failure::Usage(text),
        data::cli::Failure::Failed(text) => Failure::Failed(text),
    }
}
