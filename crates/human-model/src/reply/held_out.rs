//! The second reply network: a tower of convolutions, taught by the reserved players.
//!
//! The simulated human of studies in which the first network is judged: it shares neither players nor form with it. The twin
//! of `trainer/human/residual.py`. Not part of the program: whoever studies loads it from its file.

use super::circumstances::Circumstances;
use super::exponential::softmax;
use super::input::{CONDITIONS, Input, PLANES, policy_index};
use super::network::{Linear, Policy, SQUARES, add, normalise};
use super::panels::Panels;
use super::replies::{Replies, Reply};
use super::situation::Situation;
use super::weights::{Reader, WeightsError, check_body, panels, read_linear};

const MAGIC: &[u8; 8] = b"TBYREPL2";
const VERSION: u32 = 1;
/// Width of each block's gate.
const GATE: usize = 64;
/// Squares of a 3 x 3 window.
pub const WINDOW: usize = 9;

struct Block {
    norm: Vec<f32>,
    first: Panels,
    shift: Vec<f32>,
    second: Panels,
    squeeze: Linear,
    excite: Linear,
}

/// What the scores are divided by. On 996 positions of validation players (`reply-judge`) 1.10 gains 0.004 nats: not worth a departure from what was trained.
const TEMPERATURE: f32 = 1.0;

/// Another model of people than the shipped reply model: for studies, as the opponent.
pub struct HeldOutModel {
    dim: usize,
    planes: Panels,
    conditions: Linear,
    place: Vec<f32>,
    blocks: Vec<Block>,
    norm: Vec<f32>,
    policy: Policy,
}

impl HeldOutModel {
    /// Weights from a file written by `trainer/human/export.py`.
    pub fn from_bytes(bytes: &[u8]) -> Result<HeldOutModel, WeightsError> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else { return Err(WeightsError::NotWeights) };
        let mut reader = Reader::new(rest);
        match reader.word() {
            VERSION => {}
            found => return Err(WeightsError::Version { found }),
        }
        let mut field = |what, low: u32, high: u32| match reader.word() {
            found if (low..=high).contains(&found) => Ok(found as usize),
            found => Err(WeightsError::Shape { what, found }),
        };
        let (dim, layers, policy) =
            (field("dim", 8, 512)?, field("layers", 1, 64)?, field("policy", 8, 512)?);
        field("planes", PLANES as u32, PLANES as u32)?;
        field("conditions", CONDITIONS as u32, CONDITIONS as u32)?;
        check_body(bytes, MAGIC.len() + 6 * 4, body_length(dim, layers, policy))?;
        Ok(HeldOutModel {
            dim,
            planes: panels(&reader.floats(dim * PLANES), PLANES),
            conditions: Linear {
                weights: panels(&reader.floats(dim * CONDITIONS), CONDITIONS),
                bias: reader.floats(dim),
            },
            place: reader.floats(SQUARES * dim),
            blocks: (0..layers).map(|_| Block::read(&mut reader, dim)).collect(),
            norm: reader.floats(dim),
            policy: Policy::read(&mut reader, policy, dim),
        })
    }

    /// Every legal move with its probability, likeliest first; empty when the game is over.
    pub fn replies(&self, situation: &Situation<'_>, circumstances: &Circumstances) -> Replies {
        self.replies_at(situation, circumstances, TEMPERATURE)
    }

    /// As [`HeldOutModel::replies`], with the scores divided by a number of the caller's: one is what was trained.
    pub fn replies_at(
        &self,
        situation: &Situation<'_>,
        circumstances: &Circumstances,
        temperature: f32,
    ) -> Replies {
        let moves = situation.position().legal_moves();
        let turn = situation.position().turn();
        let tokens = self.tokens(&Input::new(situation, circumstances));
        let mut logits = self.policy.scores(&tokens, moves.iter().map(|mv| policy_index(*mv, turn)));
        for logit in &mut logits {
            *logit /= temperature;
        }
        softmax(&mut logits);
        Replies::new(moves.iter().copied().zip(logits).map(|(mv, probability)| Reply { mv, probability }))
    }

    fn tokens(&self, input: &Input) -> Vec<f32> {
        let mut x = vec![0.0; SQUARES * self.dim];
        let mut condition = vec![0.0; self.dim];
        self.conditions.apply(&input.conditions, &mut condition);
        self.planes.multiply(&input.planes, &mut x);
        add(&mut x, &self.place);
        for row in x.chunks_exact_mut(self.dim) {
            add(row, &condition);
        }
        for block in &self.blocks {
            block.apply(&mut x, &condition);
        }
        normalise(&x.clone(), &self.norm, &mut x);
        x
    }
}

impl Block {
    fn read(reader: &mut Reader<'_>, dim: usize) -> Block {
        Block {
            norm: reader.floats(dim),
            first: panels(&reader.bytes(dim, WINDOW * dim), WINDOW * dim),
            shift: reader.floats(dim),
            second: panels(&reader.bytes(dim, WINDOW * dim), WINDOW * dim),
            squeeze: read_linear(reader, GATE, 2 * dim),
            excite: read_linear(reader, 2 * dim, GATE),
        }
    }

    fn apply(&self, x: &mut [f32], condition: &[f32]) {
        let dim = condition.len();
        let mut y = vec![0.0; x.len()];
        let mut hidden = vec![0.0; x.len()];
        normalise(x, &self.norm, &mut y);
        self.first.multiply(&windows(&y, dim), &mut hidden);
        for row in hidden.chunks_exact_mut(dim) {
            add(row, &self.shift);
            rectify(row);
        }
        self.second.multiply(&windows(&hidden, dim), &mut y);

        let mut summary = vec![0.0; 2 * dim];
        for row in y.chunks_exact(dim) {
            add(&mut summary, row);
        }
        summary[..dim].iter_mut().for_each(|sum| *sum /= SQUARES as f32);
        summary[dim..].copy_from_slice(condition);
        let mut narrow = vec![0.0; GATE];
        self.squeeze.apply(&summary, &mut narrow);
        rectify(&mut narrow);
        let mut gate = vec![0.0; 2 * dim];
        self.excite.apply(&narrow, &mut gate);
        let (gate, bias) = gate.split_at_mut(dim);
        for value in &mut *gate {
            *value = 2.0 / (1.0 + (-*value).exp());
        }
        for (target, row) in x.chunks_exact_mut(dim).zip(y.chunks_exact(dim)) {
            for (((target, value), gate), bias) in target.iter_mut().zip(row).zip(&*gate).zip(&*bias) {
                *target += value * gate + bias;
            }
        }
    }
}

pub fn rectify(values: &mut [f32]) {
    for value in values {
        *value = value.max(0.0);
    }
}

/// Each square with its neighbours, row by row; beyond the edge there are zeros.
pub fn windows(x: &[f32], dim: usize) -> Vec<f32> {
    let mut out = vec![0.0; SQUARES * WINDOW * dim];
    for (square, window) in out.chunks_exact_mut(WINDOW * dim).enumerate() {
        for (place, cell) in window.chunks_exact_mut(dim).enumerate() {
            let rank = (square / 8 + place / 3).checked_sub(1).filter(|rank| *rank < 8);
            let file = (square % 8 + place % 3).checked_sub(1).filter(|file| *file < 8);
            if let (Some(rank), Some(file)) = (rank, file) {
                cell.copy_from_slice(&x[(8 * rank + file) * dim..][..dim]);
            }
        }
    }
    out
}

fn body_length(dim: usize, layers: usize, policy: usize) -> usize {
    let bytes = |rows: usize, columns: usize| rows * (4 + columns);
    let floats = |count: usize| count * 4;
    let block = floats(2 * dim)
        + 2 * bytes(dim, WINDOW * dim)
        + bytes(GATE, 2 * dim)
        + floats(GATE)
        + bytes(2 * dim, GATE)
        + floats(2 * dim);
    let front = floats(dim * (PLANES + CONDITIONS + 1 + SQUARES));
    front + layers * block + floats(dim) + Policy::body_length(policy, dim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_hold_the_neighbours_and_zeros_beyond_the_edge() {
        let board: Vec<f32> = (0..64).map(|square| square as f32 + 1.0).collect();
        let all = windows(&board, 1);
        let window = |square: usize| &all[9 * square..9 * square + 9];
        assert_eq!(window(0), [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 9.0, 10.0]);
        assert_eq!(window(27), [19.0, 20.0, 21.0, 27.0, 28.0, 29.0, 35.0, 36.0, 37.0]);
        assert_eq!(window(63), [55.0, 56.0, 0.0, 63.0, 64.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for bytes in [&b""[..], b"TBYREPLY", b"TBYREPL2", b"TBYREPL2\x01\0\0\0\xff\xff\xff\xff"] {
            assert!(HeldOutModel::from_bytes(bytes).is_err());
        }
    }
}
