//! The small reply model, tier 1: what a move looks like at a glance, and how people of a rating take to it.
//!
//! Each legal move is described by about seventy numbers: what it seems to lose when looked at for 0, 1, 2, 4 and 6 plies
//! ([`Vision`]), what kind of move it is ([`Sketch`]), the circumstances, and the rating with its products. A perceptron of some twelve thousand
//! weights ([`GlanceModel`]) gives each a score; a softmax over the moves makes them probabilities. It needs no more vision than it
//! is given: with depth 0 alone, which takes no search, it is quick enough for inner nodes.
//!
//! Trained by `trainer/human/glance.py` from what `human-data glance` writes; figures in `docs/human-model-card.md`.

mod inputs;
mod model;
mod sketch;
mod vision;

pub use inputs::{INPUTS, SURROUNDINGS, Surroundings, inputs};
pub use model::{Blink, GlanceError, GlanceModel};
pub use sketch::{SKETCH, Sketch, sketches};
pub use vision::{DEPTHS, Vision};
