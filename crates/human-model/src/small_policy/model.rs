//! The multilayer perceptron (MLP) and its weights file.

use super::depth_losses::{DepthLosses, training_evaluation};
use super::inputs::{INPUTS, PositionFeatures, inputs};
use super::move_features::{MoveFeatures, move_features};
use crate::oracle::{Oracle, Stopped};
use crate::reply::{Circumstances, Replies, Reply, ReplyPredictor, softmax};
use chess::{Game, Move};
use eval::Evaluator;
use std::cell::RefCell;
use std::fmt;
use std::sync::OnceLock;

const MAGIC: &[u8; 8] = b"TBYSMALL";
const VERSION: u32 = 1;
/// Numbers that each of the two tables (piece and from-square, piece and to-square) adds to a row.
const TABLE: usize = 4;
const CELLS: usize = 6 * 64;
const ROW: usize = INPUTS + 2 * TABLE;

static SHIPPED: &[u8] = include_bytes!("../../weights/small-policy.bin");

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SmallPolicyError {
    NotWeights,
    Version {
        found: u32,
    },
    Shape {
        what: &'static str,
        found: u32,
    },
    Length {
        found: usize,
        expected: usize,
    },
    /// A weight is no finite number.
    Number,
}

impl fmt::Display for SmallPolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SmallPolicyError::NotWeights => {
                f.write_str("not a small reply model: the file does not begin with TBYSMALL")
            }
            SmallPolicyError::Version { found } => {
                write!(f, "small reply model version {found}, expected {VERSION}")
            }
            SmallPolicyError::Shape { what, found } => {
                write!(f, "small reply model header: {what} cannot be {found}")
            }
            SmallPolicyError::Length { found, expected } => {
                write!(f, "small reply model: {found} bytes, expected {expected}")
            }
            SmallPolicyError::Number => f.write_str("small reply model: a weight is not a number"),
        }
    }
}

impl std::error::Error for SmallPolicyError {}

/// Immutable: one serves every thread.
pub struct SmallPolicy {
    /// Two tables of `CELLS` rows.
    tables: Vec<[f32; TABLE]>,
    layers: [Layer; 3],
}

/// One row of weights for each input, so that the inner loop runs over outputs.
struct Layer {
    outputs: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Layer {
    fn apply(&self, input: &[f32], out: &mut Vec<f32>) {
        out.clear();
        out.extend_from_slice(&self.bias);
        for (value, row) in input.iter().zip(self.weights.chunks_exact(self.outputs)) {
            // Most numbers of a features are zero.
            if *value != 0.0 {
                for (out, weight) in out.iter_mut().zip(row) {
                    *out += value * weight;
                }
            }
        }
    }
}

impl SmallPolicy {
    /// The shipped weights, unpacked once for the whole program.
    pub fn shared() -> Result<&'static SmallPolicy, SmallPolicyError> {
        static SHARED: OnceLock<Result<SmallPolicy, SmallPolicyError>> = OnceLock::new();
        SHARED.get_or_init(|| SmallPolicy::from_bytes(SHIPPED)).as_ref().map_err(Clone::clone)
    }

    /// Weights from a file written by `trainer/human/small_policy.py`: the header, both tables, then each layer's weights (a row for each input) and
    /// biases, all 32-bit, little end first.
    pub fn from_bytes(bytes: &[u8]) -> Result<SmallPolicy, SmallPolicyError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(SmallPolicyError::NotWeights)?;
        let (words, _) = body.as_chunks::<4>();
        let word = |index: usize| words.get(index).map_or(0, |word| u32::from_le_bytes(*word));
        if word(0) != VERSION {
            return Err(SmallPolicyError::Version { found: word(0) });
        }
        if word(1) as usize != ROW {
            return Err(SmallPolicyError::Shape { what: "inputs", found: word(1) });
        }
        let width = |index: usize, what| match word(index) {
            found @ 1..=512 => Ok(found as usize),
            found => Err(SmallPolicyError::Shape { what, found }),
        };
        let sizes = [ROW, width(2, "first layer")?, width(3, "second layer")?, 1];
        let count = 2 * CELLS * TABLE + sizes.windows(2).map(|pair| (pair[0] + 1) * pair[1]).sum::<usize>();
        let expected = MAGIC.len() + 4 * (4 + count);
        if bytes.len() != expected {
            return Err(SmallPolicyError::Length { found: bytes.len(), expected });
        }
        let mut numbers = words[4..].iter().map(|word| f32::from_le_bytes(*word));
        if numbers.clone().any(|number| !number.is_finite()) {
            return Err(SmallPolicyError::Number);
        }
        let mut take = |count: usize| numbers.by_ref().take(count).collect::<Vec<f32>>();
        let tables = take(2 * CELLS * TABLE).as_chunks::<TABLE>().0.to_vec();
        let layers = [0, 1, 2].map(|layer| Layer {
            outputs: sizes[layer + 1],
            weights: take(sizes[layer] * sizes[layer + 1]),
            bias: take(sizes[layer + 1]),
        });
        Ok(SmallPolicy { tables, layers })
    }

    /// With no search at all: for inner nodes.
    pub fn static_replies(
        &self,
        game: &Game,
        circumstances: &Circumstances,
        evaluator: &mut Evaluator,
    ) -> Replies {
        let moves = legal(game);
        let depth_losses = DepthLosses::static_only(game.position(), &moves, evaluator);
        self.replies_from(game, &moves, &depth_losses, circumstances)
    }

    /// With a look six plies ahead; `oracle` must know nothing of the position.
    pub fn searched_replies(
        &self,
        game: &Game,
        circumstances: &Circumstances,
        evaluator: &mut Evaluator,
        oracle: &mut dyn Oracle,
    ) -> Result<Replies, Stopped> {
        let moves = legal(game);
        let depth_losses = DepthLosses::search(game, &moves, evaluator, oracle)?;
        Ok(self.replies_from(game, &moves, &depth_losses, circumstances))
    }

    /// The probabilities of moves that have been looked at.
    pub fn replies_from(
        &self,
        game: &Game,
        moves: &[Move],
        depth_losses: &DepthLosses,
        circumstances: &Circumstances,
    ) -> Replies {
        let position_features = PositionFeatures::of(game.position(), moves.len(), circumstances);
        let move_features = move_features(game.position(), game.moves(), moves);
        let mut scores = self.scores(&move_features, depth_losses, &position_features);
        softmax(&mut scores);
        Replies::new(moves.iter().copied().zip(scores).map(|(mv, probability)| Reply { mv, probability }))
    }

    fn scores(
        &self,
        move_features: &[MoveFeatures],
        depth_losses: &DepthLosses,
        position_features: &PositionFeatures,
    ) -> Vec<f32> {
        let mut row = [0.0; ROW];
        let (mut first, mut second, mut score) = (Vec::new(), Vec::new(), Vec::new());
        let mut scores = Vec::with_capacity(move_features.len());
        for (index, features) in move_features.iter().enumerate() {
            row[..INPUTS].copy_from_slice(&inputs(depth_losses, index, features, position_features));
            let piece = 64 * features.piece.index();
            row[INPUTS..][..TABLE].copy_from_slice(&self.tables[piece + features.from.index()]);
            row[INPUTS + TABLE..].copy_from_slice(&self.tables[CELLS + piece + features.to.index()]);
            self.layers[0].apply(&row, &mut first);
            rectify(&mut first);
            self.layers[1].apply(&first, &mut second);
            rectify(&mut second);
            self.layers[2].apply(&second, &mut score);
            scores.push(score[0]);
        }
        scores
    }
}

/// The small model with an evaluator of its own, looking at nothing but the board.
pub struct StaticPolicy<'a> {
    pub model: &'a SmallPolicy,
    evaluator: RefCell<Evaluator>,
}

impl StaticPolicy<'_> {
    pub fn new(model: &SmallPolicy) -> StaticPolicy<'_> {
        StaticPolicy { model, evaluator: RefCell::new(training_evaluation().evaluator()) }
    }
}

impl ReplyPredictor for StaticPolicy<'_> {
    fn replies_in(&self, game: &Game, circumstances: &Circumstances) -> Replies {
        self.model.static_replies(game, circumstances, &mut self.evaluator.borrow_mut())
    }
}

fn rectify(values: &mut [f32]) {
    for value in values {
        *value = value.max(0.0);
    }
}

fn legal(game: &Game) -> Vec<Move> {
    game.position().legal_moves().iter().copied().collect()
}
