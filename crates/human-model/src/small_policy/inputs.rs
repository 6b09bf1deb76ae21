//! The inputs of the perceptron for one move. `trainer/human/small_policy.py` computes the same.

use super::depth_losses::{DEPTHS, DepthLosses};
use super::move_features::{MOVE_FEATURES, MoveFeatures};
use crate::reply::{Circumstances, Scale};
use chess::{PieceKind, Position};

/// Numbers that describe the position and the player.
pub const POSITION_FEATURES: usize = 12;
/// Everything that goes in, but for the two tables by piece and square.
pub const INPUTS: usize = 2 * DEPTHS.len() + 5 + MOVE_FEATURES + POSITION_FEATURES;
/// A loss that is seen to be one, in expected points.
const BAD: f32 = 0.10;

/// What does not depend on the move nor on how far one looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PositionFeatures(pub [f32; POSITION_FEATURES]);

impl PositionFeatures {
    pub fn of(position: &Position, legal_moves: usize, circumstances: &Circumstances) -> PositionFeatures {
        let board = position.board();
        let weights =
            [(PieceKind::Knight, 3), (PieceKind::Bishop, 3), (PieceKind::Rook, 5), (PieceKind::Queen, 9)];
        let pieces: u32 = weights.iter().map(|(kind, worth)| worth * board.kind(*kind).count()).sum();
        let base =
            circumstances.time_control.map(|control| control.base_seconds + 40.0 * control.increment_seconds);
        let clock = circumstances.clocks.map(|clocks| clocks.own_seconds);
        let doublings =
            |seconds: Option<f32>| seconds.map_or(0.0, |seconds| seconds.max(1.0).log2() / 8.0 - 1.0);
        let flag = |yes: bool| f32::from(u8::from(yes));
        PositionFeatures([
            (f32::from(circumstances.rating.points()) - 1600.0) / 500.0,
            pieces as f32 / 62.0,
            (legal_moves.max(1) as f32).ln() / 4.0,
            flag(position.in_check()),
            (position.ply() as f32).min(120.0) / 60.0,
            flag(circumstances.scale == Scale::Fics),
            flag(circumstances.scale == Scale::Fide),
            flag(circumstances.scale == Scale::Mixed),
            doublings(base),
            flag(base.is_some()),
            doublings(clock),
            flag(clock.is_some()),
        ])
    }

    /// The rating, in units of five hundred points around 1600.
    fn rating(&self) -> f32 {
        self.0[0]
    }
}

/// One row.
pub fn inputs(
    depth_losses: &DepthLosses,
    index: usize,
    features: &MoveFeatures,
    position_features: &PositionFeatures,
) -> [f32; INPUTS] {
    let losses = depth_losses.losses[index].map(f32::sqrt);
    let rating = position_features.rating();
    let last = DEPTHS.len() - 1;
    let first_bad = depth_losses.losses[index].iter().position(|loss| *loss >= BAD).unwrap_or(DEPTHS.len());
    let mut row = [0.0; INPUTS];
    let mut at = 0;
    let mut put = |values: &[f32]| {
        row[at..at + values.len()].copy_from_slice(values);
        at += values.len();
    };
    put(&losses);
    put(&losses.map(|loss| rating * loss));
    put(&[
        f32::from(u8::from(depth_losses.losses[index][last] == 0.0)),
        first_bad as f32 / DEPTHS.len() as f32,
        depth_losses.known as f32 / DEPTHS.len() as f32,
        2.0 * depth_losses.best[last] - 1.0,
        rating * f32::from(u8::from(features.hangs)),
    ]);
    put(&features.numbers);
    put(&position_features.0);
    row
}
