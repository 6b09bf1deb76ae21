//! One interface for every model that predicts people's moves.

use super::circumstances::Circumstances;
use super::held_out::HeldOutModel;
use super::maia::{self, MaiaModel};
use super::model::ReplyModel;
use super::replies::Replies;
use super::situation::Situation;
use super::weights::WeightsError;
use chess::Game;

/// Predicts what people play in the present position of a game.
pub trait ReplyPredictor {
    fn replies_in(&self, game: &Game, circumstances: &Circumstances) -> Replies;
}

impl ReplyPredictor for ReplyModel {
    fn replies_in(&self, game: &Game, circumstances: &Circumstances) -> Replies {
        self.replies(&Situation::of(game), circumstances)
    }
}

impl ReplyPredictor for HeldOutModel {
    fn replies_in(&self, game: &Game, circumstances: &Circumstances) -> Replies {
        self.replies(&Situation::of(game), circumstances)
    }
}

impl ReplyPredictor for MaiaModel {
    fn replies_in(&self, game: &Game, circumstances: &Circumstances) -> Replies {
        self.replies(game, circumstances)
    }
}

/// Simulated people of a study, from a file: the held-out model or Maia-1's networks, told apart by how the file begins.
pub fn read_people(bytes: &[u8]) -> Result<Box<dyn ReplyPredictor + Send + Sync>, WeightsError> {
    if bytes.starts_with(maia::MAGIC) {
        return Ok(Box::new(MaiaModel::from_bytes(bytes)?));
    }
    Ok(Box::new(HeldOutModel::from_bytes(bytes)?))
}
