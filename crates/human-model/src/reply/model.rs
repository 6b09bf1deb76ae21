//! The reply network that ships with the program.

use super::circumstances::Circumstances;
use super::exponential::softmax;
use super::input::{Input, policy_index};
use super::network::Network;
use super::replies::{Replies, Reply};
use super::situation::Situation;
use super::weights::{self, WeightsError};
use std::sync::OnceLock;

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
