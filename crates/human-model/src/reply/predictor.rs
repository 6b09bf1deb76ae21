//! One interface for every model that predicts people's moves.

use super::circumstances::Circumstances;
use super::held_out::HeldOutModel;
use super::model::ReplyModel;
use super::replies::Replies;
use super::situation::Situation;
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
