//! Fits the weights of the hand-crafted evaluation to the results of games (Texel's method by gradient descent:
//! Österlund 2014; the gradient through the evaluation's own coefficients as in Grant 2020).
//!
//! [`games`] reads game files, [`extract`] picks quiet positions, [`data`] keeps each position as the weights its
//! evaluation uses, [`model`] is the evaluation as a function of the weights with its gradient, [`fit`] descends,
//! [`source`] writes the result as Rust. The caller supplies the output: nothing here prints.

pub mod adam;
pub mod cli;
pub mod data;
pub mod extract;
pub mod fit;
pub mod games;
pub mod gauge;
pub mod model;
pub mod options;
pub mod report;
pub mod source;
