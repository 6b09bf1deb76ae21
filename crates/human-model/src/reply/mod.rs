//! The reply model P(move | position, rating, clock), tier 2: a network over the whole board.
//!
//! Trained by `trainer/human` on rated games split by player; `docs/human-model-card.md` says on what, how well, and
//! where it fails. About 350 million multiplications a position: for root children and coaching, not for inner nodes.
//!
//! ```
//! use chess::Position;
//! use human_model::reply::{Circumstances, Rating, ReplyModel, Scale, Situation};
//!
//! let model = ReplyModel::shipped()?;
//! let novice = Circumstances::new(Rating::new(1100)?, Scale::Lichess);
//! let replies = model.replies(&Situation::bare(&Position::default()), &novice);
//! assert_eq!(replies.len(), 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod circumstances;
mod cpu;
mod exponential;
mod input;
mod network;
mod panels;
mod replies;
mod residual;
mod situation;
mod weights;

pub use circumstances::{Circumstances, Clocks, Rating, RatingError, Scale, TimeControl};
pub use input::policy_index;
pub use replies::{Replies, Reply};
pub use residual::SecondModel;
pub use situation::Situation;
pub use weights::WeightsError;

use chess::Game;
pub(crate) use exponential::softmax;
use input::Input;
use network::Network;
use std::sync::OnceLock;

/// Whoever can say what people will play in the present position of a game.
pub trait People {
    fn replies_in(&self, game: &Game, circumstances: &Circumstances) -> Replies;
}

impl People for ReplyModel {
    fn replies_in(&self, game: &Game, circumstances: &Circumstances) -> Replies {
        self.replies(&Situation::of(game), circumstances)
    }
}

impl People for SecondModel {
    fn replies_in(&self, game: &Game, circumstances: &Circumstances) -> Replies {
        self.replies(&Situation::of(game), circumstances)
    }
}

/// The network with its weights unpacked: immutable, so one can serve every thread.
pub struct ReplyModel {
    network: Network,
}

static SHIPPED: &[u8] = include_bytes!("../../weights/reply.bin");

impl ReplyModel {
    /// The shipped network, unpacked once for the whole program and never changed: 26 MB that engines can share.
    pub fn shared() -> Result<&'static ReplyModel, WeightsError> {
        static SHARED: OnceLock<Result<ReplyModel, WeightsError>> = OnceLock::new();
        SHARED.get_or_init(ReplyModel::shipped).as_ref().map_err(Clone::clone)
    }

    /// The weights that come with the program.
    pub fn shipped() -> Result<ReplyModel, WeightsError> {
        ReplyModel::from_bytes(SHIPPED)
    }

    /// Weights from a file written by `trainer/human/export.py`.
    pub fn from_bytes(bytes: &[u8]) -> Result<ReplyModel, WeightsError> {
        Ok(ReplyModel { network: weights::read(bytes)? })
    }

    /// Every legal move with its probability, likeliest first; empty when the game is over.
    pub fn replies(&self, situation: &Situation<'_>, circumstances: &Circumstances) -> Replies {
        let moves = situation.position().legal_moves();
        let turn = situation.position().turn();
        let input = Input::new(situation, circumstances);
        let mut logits = self.network.policy(&input, moves.iter().map(|mv| policy_index(*mv, turn)));
        softmax(&mut logits);
        Replies::new(moves.iter().copied().zip(logits).map(|(mv, probability)| Reply { mv, probability }))
    }
}
