//! The small policy: a multilayer perceptron (MLP) over features of each legal move.
//!
//! Each legal move has about 70 features: what it seems to lose by searches of 0, 1, 2, 4 and 6 plies
//! ([`DepthLosses`]), what kind of move it is ([`MoveFeatures`]), the position, and the rating with its products. About
//! 12,000 weights ([`SmallPolicy`]) give each move a score, and a softmax makes them probabilities. Deeper losses are
//! optional: with depth 0 alone, which takes no search, it is fast enough for inner nodes.
//!
//! Trained by `trainer/human/small_policy.py` from the output of `human-data small-policy`; figures in
//! `docs/human-model-card.md`.

mod depth_losses;
mod inputs;
mod model;
mod move_features;

pub use depth_losses::{DEPTHS, DepthLosses, training_evaluation};
pub use inputs::{INPUTS, POSITION_FEATURES, PositionFeatures, inputs};
pub use model::{SmallPolicy, SmallPolicyError, StaticPolicy};
pub use move_features::{MOVE_FEATURES, MoveFeatures, move_features};
