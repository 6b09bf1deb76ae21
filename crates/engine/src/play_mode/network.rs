//! What the play modes know about people: the reply network, the openings, the opponent's rating.

use crate::options::error::OptionError;
use crate::settings::Settings;
use human_model::openings::Openings;
use human_model::reply::{Rating, ReplyModel};
use std::path::Path;
use std::sync::Arc;

/// Far above the size of any reply network.
const MAX_WEIGHTS_BYTES: u64 = 1 << 30;

/// The reply network: the embedded one, or a user's own.
#[derive(Clone)]
pub(crate) enum Network {
    Embedded(&'static ReplyModel),
    Own(Arc<ReplyModel>),
}

impl Network {
    /// `None` when somebody built the program with a broken one.
    pub fn embedded() -> Option<Network> {
        ReplyModel::shared().ok().map(Network::Embedded)
    }

    /// Reads a network of the user's.
    pub fn open(path: &Path) -> Result<Network, OptionError> {
        let failed =
            |reason: String| OptionError::failed("HumanWeights", format!("{}: {reason}", path.display()));
        let bytes =
            common::read_bounded(path, MAX_WEIGHTS_BYTES).map_err(|error| failed(error.to_string()))?;
        let model = ReplyModel::from_bytes(&bytes).map_err(|error| failed(error.to_string()))?;
        Ok(Network::Own(Arc::new(model)))
    }

    pub fn model(&self) -> &ReplyModel {
        match self {
            Network::Embedded(model) => model,
            Network::Own(model) => model,
        }
    }
}

/// The opponent's rating as the user or the program announced it.
pub(crate) fn announced_rating(settings: &Settings) -> Option<Rating> {
    let announced = settings.opponent.as_ref().and_then(|opponent| opponent.rating);
    let rating = (settings.opponent_elo > 0).then_some(settings.opponent_elo).or(announced)?;
    Rating::new(rating.max(Rating::LOWEST.points())).ok()
}

/// The opening table.
pub(crate) fn openings() -> Option<&'static Openings> {
    Openings::shared().ok()
}
