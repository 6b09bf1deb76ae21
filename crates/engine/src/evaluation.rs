//! Which evaluation plays: the options `Evaluation` and `EvalFile`.

use crate::Engine;
use crate::options::OptionError;
use crate::settings::Settings;
use eval::nnue::Network;
use std::path::Path;
use std::sync::{Arc, OnceLock};

pub const HAND_CRAFTED: &str = "hce";
pub const NETWORK: &str = "network";
pub const NAMES: &[&str] = &[HAND_CRAFTED, NETWORK];

/// The evaluation by name, one of [`NAMES`]. A network that is in use stays; else it is the one this build carries.
pub fn choose(engine: &mut Engine, text: &str) -> Result<(), OptionError> {
    let network = match &engine.settings.network {
        _ if text != NETWORK => None,
        Some(network) => Some(Arc::clone(network)),
        None => Some(embedded()?),
    };
    take(engine, network)
}

/// Reads a network and plays with it from now on; nothing named is the one this build carries, unless the hand-crafted evaluation was
/// chosen: programs send the empty default too. When it cannot be read, the evaluation stays as it was.
pub fn load(engine: &mut Engine, path: &str) -> Result<(), OptionError> {
    let network = if path.is_empty() {
        if engine.settings.network.is_none() {
            return Ok(());
        }
        embedded()?
    } else {
        let network = Network::open(Path::new(path)).map_err(|error| OptionError::Failed {
            name: "EvalFile",
            reason: format!("{path}: {error}; the evaluation stays as it was"),
        })?;
        Arc::new(network)
    };
    take(engine, Some(network))
}

/// The network this build carries, read once. `None` when somebody built it with a broken one: the hand-crafted evaluation plays then,
/// and asking for the network says why.
pub fn carried() -> Option<Arc<Network>> {
    embedded().ok()
}

fn embedded() -> Result<Arc<Network>, OptionError> {
    static CARRIED: OnceLock<Result<Arc<Network>, String>> = OnceLock::new();
    let carried =
        CARRIED.get_or_init(|| Network::embedded().map(Arc::new).map_err(|error| error.to_string()));
    carried.clone().map_err(|error| OptionError::Failed {
        name: "EvalFile",
        reason: format!("the network of this build: {error}"),
    })
}

fn take(engine: &mut Engine, network: Option<Arc<Network>>) -> Result<(), OptionError> {
    let settings = Settings { network, ..engine.settings.clone() };
    engine.rebuild(settings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::clock::ManualClock;

    #[test]
    fn a_network_is_chosen_by_name_or_by_file_and_a_bad_file_changes_nothing() {
        let mut engine = Engine::new(Arc::new(ManualClock::new())).unwrap();
        let carried = engine.settings().network.clone().expect("the network plays unless told otherwise");
        engine.set_option("Evaluation", Some("hce")).unwrap();
        engine.set_option("EvalFile", Some("")).unwrap();
        assert!(
            engine.settings().network.is_none(),
            "the default of another option does not undo the choice"
        );
        engine.set_option("Evaluation", Some("network")).unwrap();
        assert_eq!(engine.settings().network.as_ref().unwrap().checksum(), carried.checksum());
        let folder = std::env::temp_dir().join(format!("tabiya-network-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (good, cut) = (folder.join("good.net"), folder.join("cut.net"));
        std::fs::write(&good, eval::nnue::EMBEDDED).unwrap();
        std::fs::write(&cut, &eval::nnue::EMBEDDED[..1000]).unwrap();
        let refused = engine.set_option("EvalFile", cut.to_str()).unwrap_err().to_string();
        assert!(refused.contains("cut.net: truncated: 1000 bytes, expected"), "{refused}");
        assert!(refused.contains("the evaluation stays as it was"), "{refused}");
        assert_eq!(engine.settings().network.as_ref().unwrap().checksum(), carried.checksum());
        engine.set_option("Evaluation", Some("hce")).unwrap();
        assert!(engine.settings().network.is_none());
        assert!(engine.set_option("Evaluation", Some("magic")).is_err());
        engine.set_option("EvalFile", good.to_str()).unwrap();
        assert!(engine.settings().network.is_some());
        engine.set_option("EvalTerms", Some("material")).unwrap();
        assert!(engine.settings().network.is_none(), "terms are the hand-crafted evaluation's");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
