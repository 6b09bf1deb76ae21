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

#[cfg(not(target_family = "wasm"))]
static SHIPPED: &[u8] = include_bytes!("../../weights/reply.bin");

/// The network that [`ReplyModel::shared`] gives. Once there it never changes.
static SHARED: OnceLock<ReplyModel> = OnceLock::new();

impl ReplyModel {
    /// The shipped network, unpacked once for the whole program and never changed: 26 MB that engines can share. A page
    /// of a browser loads the weights when they are first needed: there it is the one given to [`ReplyModel::install`].
    pub fn shared() -> Result<&'static ReplyModel, WeightsError> {
        if let Some(model) = SHARED.get() {
            return Ok(model);
        }
        #[cfg(target_family = "wasm")]
        return Err(WeightsError::NotLoaded);
        #[cfg(not(target_family = "wasm"))]
        {
            let model = ReplyModel::shipped()?;
            Ok(SHARED.get_or_init(|| model))
        }
    }

    /// Makes these weights the shared network, if there is none yet.
    pub fn install(bytes: &[u8]) -> Result<(), WeightsError> {
        if SHARED.get().is_none() {
            let model = ReplyModel::from_bytes(bytes)?;
            SHARED.get_or_init(|| model);
        }
        Ok(())
    }

    /// The weights that come with the program.
    #[cfg(not(target_family = "wasm"))]
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
