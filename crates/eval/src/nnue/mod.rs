//! The evaluation network: 768 inputs seen from each side, one hidden layer, eight outputs by piece count.
//!
//! An input is a piece of a kind, own or enemy, on a square; the board is turned so that the side whose view it is plays
//! upwards, and mirrored so that its king stands on the files a to d. The hidden values of both views are kept in
//! sixteen bits and brought up to date from a board that differs little ([`Accumulators`]); the side to move's come
//! first. Activation is the clipped square; the arithmetic is integers only, so every CPU level gives the same number
//! (`simd`). Networks are trained by `trainer/nnue` and read by [`Network`].

mod accumulator;
mod chunk;
mod error;
mod features;
mod network;
pub mod simd;

pub use accumulator::Accumulators;
pub use error::NetworkError;
pub use network::{EMBEDDED, Network};

use chess::Position;
use simd::Level;
use std::sync::Arc;

/// One worker's view of a network: its accumulators, and how this CPU computes.
pub struct Evaluator {
    network: Arc<Network>,
    accumulators: Accumulators,
    level: Level,
}

impl Evaluator {
    pub fn new(network: Arc<Network>) -> Evaluator {
        Evaluator::at_level(network, Level::best())
    }

    /// For tests and measurements: computes as this level does.
    pub fn at_level(network: Arc<Network>, level: Level) -> Evaluator {
        Evaluator { accumulators: Accumulators::new(&network), network, level }
    }

    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Centipawns from the side to move. `ply` only says where to look for a similar board: the value does not depend
    /// on what was evaluated before.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let board = position.board();
        let halves = self.accumulators.update(&self.network, board, ply, self.level);
        let turn = position.turn();
        let (own, theirs) = (halves[turn.index()], halves[(!turn).index()]);
        let bucket = features::bucket(board);
        let sum = self.level.activate(own, theirs, self.network.output(bucket));
        self.network.centipawns(sum, bucket)
    }
}
