//! The small reply model, tier 1: what a move looks like at a glance, and how people of a rating take to it.
//!
//! Each legal move is described by about seventy numbers: what it seems to lose when looked at for 0, 1, 2, 4 and 6 plies
//! ([`DepthLosses`]), what kind of move it is ([`MoveFeatures`]), the circumstances, and the rating with its products. A perceptron of some twelve thousand
//! weights ([`SmallPolicy`]) gives each a score; a softmax over the moves makes them probabilities. It needs no more depth_losses than it
//! is given: with depth 0 alone, which takes no search, it is quick enough for inner nodes.
//!
//! Trained by `trainer/human/glance.py` from what `human-data glance` writes; figures in `docs/human-model-card.md`.

mod depth_losses;
mod inputs;
mod model;
mod move_features;

pub use depth_losses::{DEPTHS, DepthLosses, training_evaluation};
pub use inputs::{INPUTS, POSITION_FEATURES, PositionFeatures, inputs};
pub use model::{SmallPolicy, SmallPolicyError, StaticPolicy};
pub use move_features::{MOVE_FEATURES, MoveFeatures, move_features};
