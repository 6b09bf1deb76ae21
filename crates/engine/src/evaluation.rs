//! Which evaluation plays: the options `Evaluation` and `EvalFile`.

use crate::options::error::OptionError;
use eval::nnue::Network;
use std::path::Path;
use std::sync::{Arc, OnceLock};

pub const HAND_CRAFTED: &str = "hce";
pub const NETWORK: &str = "network";
pub const NAMES: &[&str] = &[HAND_CRAFTED, NETWORK];

/// The evaluation by name, one of [`NAMES`]; `None` is the hand-crafted one. A network in use stays; else it is the
/// embedded one.
pub fn named(name: &str, used: Option<&Arc<Network>>) -> Result<Option<Arc<Network>>, OptionError> {
    match used {
        _ if name != NETWORK => Ok(None),
        Some(network) => Ok(Some(Arc::clone(network))),
        None => embedded().map(Some),
    }
}

/// Reads a network. An empty path is the embedded one, unless the hand-crafted evaluation is in use: programs send the
/// empty default too.
pub fn load(path: &str, used: Option<&Arc<Network>>) -> Result<Option<Arc<Network>>, OptionError> {
    if path.is_empty() {
        return if used.is_some() { embedded().map(Some) } else { Ok(None) };
    }
    let network = Network::open(Path::new(path)).map_err(|error| {
        OptionError::failed("EvalFile", format!("{path}: {error}; the evaluation stays as it was"))
    })?;
    Ok(Some(Arc::new(network)))
}

/// The network embedded in this build, read once. An error when somebody built it with a broken one: the hand-crafted
/// evaluation plays then.
pub fn embedded() -> Result<Arc<Network>, OptionError> {
    static EMBEDDED: OnceLock<Result<Arc<Network>, String>> = OnceLock::new();
    let embedded =
        EMBEDDED.get_or_init(|| Network::embedded().map(Arc::new).map_err(|error| error.to_string()));
    embedded
        .clone()
        .map_err(|error| OptionError::failed("EvalFile", format!("the embedded network: {error}")))
}
