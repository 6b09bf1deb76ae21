//! The reply model P(move | position, rating, clock): a policy network over the whole board.
//!
//! Trained by `trainer/human` on rated games split by player; `docs/human-model-card.md` says on what, how well, and
//! where it fails. A position takes about 350 million multiplications: for root moves and coaching, not for inner nodes.
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
mod held_out;
mod input;
mod maia;
mod model;
mod network;
mod panels;
mod predictor;
mod replies;
mod row;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
mod situation;
mod weights;

pub use circumstances::{Circumstances, Clocks, Rating, RatingError, Scale, TimeControl};
pub use held_out::HeldOutModel;
pub use input::policy_index;
pub use maia::MaiaModel;
pub use model::ReplyModel;
pub use predictor::{ReplyPredictor, read_people};
pub use replies::{Replies, Reply};
pub use situation::Situation;
pub use weights::WeightsError;

pub(crate) use exponential::softmax;
