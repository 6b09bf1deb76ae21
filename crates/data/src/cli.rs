//! The commands `tabiya datagen` and `tabiya data`.

mod arguments;
mod data;
mod datagen;

pub use data::data;
pub use datagen::datagen;

use arguments::Arguments;
use eval::Evaluation;
use eval::nnue::Network;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Why a command did not happen.
#[derive(Debug)]
pub enum Failure {
    /// The command line makes no sense.
    Usage(String),
    /// It made sense but could not be done.
    Failed(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Failed(error.to_string())
    }
}

/// What `--network` names; without it, the hand-crafted evaluation.
fn evaluation(arguments: &Arguments) -> Result<Evaluation, Failure> {
    let Some(path) = arguments.text("network") else { return Ok(Evaluation::default()) };
    let network = Network::open(Path::new(path))
        .map_err(|error| Failure::Failed(format!("--network {path}: {error}")))?;
    Ok(Evaluation::Network(Arc::new(network)))
}
