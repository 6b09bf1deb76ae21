//! Fits the weights of the hand-crafted evaluation to the results of games (Texel's method by gradient descent:
//! Österlund 2014; the gradient through the evaluation's own coefficients as in Grant 2020).
//!
//! Game files come from [`data::game_lines`]; [`extract`] picks quiet positions, [`dataset`] keeps each position as the
//! coefficients of the weights in its evaluation, [`model`] is the evaluation as a function of the weights with its
//! gradient, [`fit`] descends with [`adam`], [`canonical`] picks one of the equal sets of weights, [`weights_file`] writes
//! the result as Rust. The caller supplies the output: nothing here prints.

pub mod adam;
pub mod canonical;
pub mod cli;
pub mod dataset;
pub mod extract;
pub mod fit;
pub mod model;
pub mod options;
pub mod report;
pub mod weights_file;
