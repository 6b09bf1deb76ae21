//! The perceptron.

use super::inputs::{INPUTS, Surroundings, inputs};
use super::sketch::{Sketch, sketches};
use super::vision::Vision;
use crate::oracle::{Oracle, Stopped};
use crate::reply::{Circumstances, People, Replies, Reply, softmax};
use chess::{Game, Move};
use eval::Evaluator;
use std::cell::RefCell;
use std::fmt;
use std::sync::OnceLock;

const MAGIC: &[u8; 8] = b"TBYGLANC";
const VERSION: u32 = 1;
/// Numbers that each of the two tables (piece and from-square, piece and to-square) adds to a row.
const TABLE: usize = 4;
const CELLS: usize = 6 * 64;
const ROW: usize = INPUTS + 2 * TABLE;

static SHIPPED: &[u8] = include_bytes!("../../weights/small-policy.bin");

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GlanceError {
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

impl fmt::Display for GlanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GlanceError::NotWeights => {
                f.write_str("not a small reply model: the file does not begin with TBYGLANC")
            }
            GlanceError::Version { found } => {
                write!(f, "small reply model version {found}, expected {VERSION}")
            }
            GlanceError::Shape { what, found } => {
                write!(f, "small reply model header: {what} cannot be {found}")
            }
            GlanceError::Length { found, expected } => {
                write!(f, "small reply model: {found} bytes, expected {expected}")
            }
            GlanceError::Number => f.write_str("small reply model: a weight is not a number"),
        }
    }
}

impl std::error::Error for GlanceError {}

/// Immutable: one serves every thread.
pub struct GlanceModel {
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
            // Most numbers of a sketch are zero.
            if *value != 0.0 {
                for (out, weight) in out.iter_mut().zip(row) {
                    *out += value * weight;
                }
            }
        }
    }
}

impl GlanceModel {
    /// The shipped weights, unpacked once for the whole program.
    pub fn shared() -> Result<&'static GlanceModel, GlanceError> {
        static SHARED: OnceLock<Result<GlanceModel, GlanceError>> = OnceLock::new();
        SHARED.get_or_init(|| GlanceModel::from_bytes(SHIPPED)).as_ref().map_err(Clone::clone)
    }

    /// Weights from a file written by `trainer/human/glance.py`: the header, both tables, then each layer's weights (a row for each input) and
    /// biases, all 32-bit, little end first.
    pub fn from_bytes(bytes: &[u8]) -> Result<GlanceModel, GlanceError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(GlanceError::NotWeights)?;
        let (words, _) = body.as_chunks::<4>();
        let word = |index: usize| words.get(index).map_or(0, |word| u32::from_le_bytes(*word));
        if word(0) != VERSION {
            return Err(GlanceError::Version { found: word(0) });
        }
        if word(1) as usize != ROW {
            return Err(GlanceError::Shape { what: "inputs", found: word(1) });
        }
        let width = |index: usize, what| match word(index) {
            found @ 1..=512 => Ok(found as usize),
            found => Err(GlanceError::Shape { what, found }),
        };
        let sizes = [ROW, width(2, "first layer")?, width(3, "second layer")?, 1];
        let count = 2 * CELLS * TABLE + sizes.windows(2).map(|pair| (pair[0] + 1) * pair[1]).sum::<usize>();
        let expected = MAGIC.len() + 4 * (4 + count);
        if bytes.len() != expected {
            return Err(GlanceError::Length { found: bytes.len(), expected });
        }
        let mut numbers = words[4..].iter().map(|word| f32::from_le_bytes(*word));
        if numbers.clone().any(|number| !number.is_finite()) {
            return Err(GlanceError::Number);
        }
        let mut take = |count: usize| numbers.by_ref().take(count).collect::<Vec<f32>>();
        let tables = take(2 * CELLS * TABLE).as_chunks::<TABLE>().0.to_vec();
        let layers = [0, 1, 2].map(|layer| Layer {
            outputs: sizes[layer + 1],
            weights: take(sizes[layer] * sizes[layer + 1]),
            bias: take(sizes[layer + 1]),
        });
        Ok(GlanceModel { tables, layers })
    }

    /// With no search at all: for inner nodes.
    pub fn blink(&self, game: &Game, circumstances: &Circumstances, evaluator: &mut Evaluator) -> Replies {
        let moves = legal(game);
        let vision = Vision::blink(game.position(), &moves, evaluator);
        self.judge(game, &moves, &vision, circumstances)
    }

    /// With a look six plies ahead; `oracle` must know nothing of the position.
    pub fn look(
        &self,
        game: &Game,
        circumstances: &Circumstances,
        evaluator: &mut Evaluator,
        oracle: &mut dyn Oracle,
    ) -> Result<Replies, Stopped> {
        let moves = legal(game);
        let vision = Vision::look(game, &moves, evaluator, oracle)?;
        Ok(self.judge(game, &moves, &vision, circumstances))
    }

    /// The probabilities of moves that have been looked at.
    pub fn judge(
        &self,
        game: &Game,
        moves: &[Move],
        vision: &Vision,
        circumstances: &Circumstances,
    ) -> Replies {
        let surroundings = Surroundings::of(game.position(), moves.len(), circumstances);
        let sketches = sketches(game.position(), game.moves(), moves);
        let mut scores = self.scores(&sketches, vision, &surroundings);
        softmax(&mut scores);
        Replies::new(moves.iter().copied().zip(scores).map(|(mv, probability)| Reply { mv, probability }))
    }

    fn scores(&self, sketches: &[Sketch], vision: &Vision, surroundings: &Surroundings) -> Vec<f32> {
        let mut row = [0.0; ROW];
        let (mut first, mut second, mut score) = (Vec::new(), Vec::new(), Vec::new());
        let mut scores = Vec::with_capacity(sketches.len());
        for (index, sketch) in sketches.iter().enumerate() {
            row[..INPUTS].copy_from_slice(&inputs(vision, index, sketch, surroundings));
            let piece = 64 * sketch.piece.index();
            row[INPUTS..][..TABLE].copy_from_slice(&self.tables[piece + sketch.from.index()]);
            row[INPUTS + TABLE..].copy_from_slice(&self.tables[CELLS + piece + sketch.to.index()]);
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
pub struct Blink<'a> {
    pub model: &'a GlanceModel,
    evaluator: RefCell<Evaluator>,
}

impl Blink<'_> {
    pub fn new(model: &GlanceModel) -> Blink<'_> {
        Blink { model, evaluator: RefCell::default() }
    }
}

impl People for Blink<'_> {
    fn replies_in(&self, game: &Game, circumstances: &Circumstances) -> Replies {
        self.model.blink(game, circumstances, &mut self.evaluator.borrow_mut())
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
