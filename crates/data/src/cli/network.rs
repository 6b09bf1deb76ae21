//! The evaluation that a command searches with.

use super::arguments::Arguments;
use super::failure::Failure;
use common::escape_control;
use eval::Evaluation;
use eval::nnue::Network;
use std::path::Path;
use std::sync::Arc;

/// What `--network` names; without it, the hand-crafted evaluation.
pub(super) fn evaluation(arguments: &Arguments) -> Result<Evaluation, Failure> {
    let Some(path) = arguments.text("network") else { return Ok(Evaluation::default()) };
    let network = Network::open(Path::new(path))
        .map_err(|error| Failure::Failed(format!("--network {}: {error}", escape_control(path))))?;
    Ok(Evaluation::Network(Arc::new(network)))
}
