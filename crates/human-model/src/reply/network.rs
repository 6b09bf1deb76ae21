//! The forward pass: 64 squares that look at each other, then a score for each (from, to) pair that is legal.
//!
//! The twin of `trainer/human/model.py`. Ideas by name: squares as tokens with a learned bias per head and pair of
//! squares (Chessformer, Lc0's transformers), a bias generated from the whole board (Lc0's smolgen), Lc0's attention
//! policy, RMS normalisation, squared ReLU (Primer).

use super::exponential::softmax;
use super::input::{Input, PLANES};
use super::panels::Panels;

/// Width of the summary from which the generated attention bias is made, per square.
pub const SQUEEZE: usize = 16;
pub const SQUARES: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub dim: usize,
    pub layers: usize,
    pub heads: usize,
    pub hidden: usize,
    pub policy: usize,
    /// Width of the layer that generates attention bias; 0 where the bias is fixed.
    pub dynamic: usize,
}

pub struct Linear {
    pub weights: Panels,
    pub bias: Vec<f32>,
}

impl Linear {
    pub fn apply(&self, left: &[f32], out: &mut [f32]) {
        self.weights.multiply(left, out);
        for row in out.chunks_exact_mut(self.bias.len()) {
            add(row, &self.bias);
        }
    }
}

/// Attention bias made from the board itself: which squares matter to which depends on where everything stands.
pub struct Bend {
    pub squeeze: Panels,
    pub mix: Linear,
    pub norm: Vec<f32>,
    pub spread: Panels,
}

pub struct Block {
    pub norm_attention: Vec<f32>,
    pub norm_hidden: Vec<f32>,
    pub qkv: Panels,
    pub out: Panels,
    /// heads x 64 x 64.
    pub bias: Vec<f32>,
    pub up: Linear,
    pub down: Linear,
    pub bend: Option<Bend>,
}

pub struct Network {
    pub shape: Shape,
    pub planes: Panels,
    pub conditions: Linear,
    pub place: Vec<f32>,
    pub blocks: Vec<Block>,
    pub norm: Vec<f32>,
    pub policy: Policy,
    pub patterns: Option<Panels>,
}

/// The head: a score for each (from, to) pair, and an offset for each under-promotion.
pub struct Policy {
    pub source: Linear,
    pub destination: Linear,
    pub promotion: Linear,
}

/// Room for the numbers between layers, taken once per position.
struct Scratch {
    normal: Vec<f32>,
    qkv: Vec<f32>,
    gathered: Vec<f32>,
    hidden: Vec<f32>,
    update: Vec<f32>,
    /// heads x 64 x 64 bias of the layer at hand.
    bent: Vec<f32>,
    query: Vec<f32>,
    scores: Vec<f32>,
    head_out: Vec<f32>,
    key: Panels,
    value: Panels,
}

impl Network {
    /// Scores of the moves at `indices` (see [`super::input::policy_index`]), in their order.
    pub fn policy(&self, input: &Input, indices: impl Iterator<Item = usize>) -> Vec<f32> {
        self.policy.scores(&self.tokens(input), indices)
    }

    fn tokens(&self, input: &Input) -> Vec<f32> {
        let dim = self.shape.dim;
        let mut x = vec![0.0; SQUARES * dim];
        let mut condition = vec![0.0; dim];
        self.conditions.apply(&input.conditions, &mut condition);
        debug_assert_eq!(input.planes.len(), SQUARES * PLANES);
        self.planes.multiply(&input.planes, &mut x);
        add(&mut x, &self.place);
        for row in x.chunks_exact_mut(dim) {
            add(row, &condition);
        }
        let mut scratch = Scratch::new(&self.shape);
        for block in &self.blocks {
            block.apply(&mut x, self.patterns.as_ref(), &self.shape, &mut scratch);
        }
        normalise(&x.clone(), &self.norm, &mut x);
        x
    }
}

impl Policy {
    /// Scores of the moves at `indices`, in their order.
    pub fn scores(&self, tokens: &[f32], indices: impl Iterator<Item = usize>) -> Vec<f32> {
        let width = self.source.bias.len();
        let mut source = vec![0.0; SQUARES * width];
        let mut destination = vec![0.0; SQUARES * width];
        self.source.apply(tokens, &mut source);
        self.destination.apply(tokens, &mut destination);
        let mut promotion = vec![0.0; SQUARES * 3];
        self.promotion.apply(tokens, &mut promotion);
        let pair = |from: usize, to: usize| {
            let (from, to) = (&source[from * width..][..width], &destination[to * width..][..width]);
            dot(from, to) / (width as f32).sqrt()
        };
        let score = |index: usize| match index.checked_sub(SQUARES * SQUARES) {
            None => pair(index / SQUARES, index % SQUARES),
            Some(under) => {
                let (piece, from, to) = (under / 64, 48 + under / 8 % 8, 56 + under % 8);
                pair(from, to) + promotion[to * 3 + piece]
            }
        };
        indices.map(score).collect()
    }
}

impl Scratch {
    fn new(shape: &Shape) -> Scratch {
        let dim = shape.dim;
        let head = dim / shape.heads;
        Scratch {
            normal: vec![0.0; SQUARES * dim],
            qkv: vec![0.0; SQUARES * 3 * dim],
            gathered: vec![0.0; SQUARES * dim],
            hidden: vec![0.0; SQUARES * shape.hidden],
            update: vec![0.0; SQUARES * dim],
            bent: vec![0.0; shape.heads * SQUARES * SQUARES],
            query: vec![0.0; SQUARES * head],
            scores: vec![0.0; SQUARES * SQUARES],
            head_out: vec![0.0; SQUARES * head],
            key: Panels::new(head, SQUARES, |_, _| 0.0),
            value: Panels::new(SQUARES, head, |_, _| 0.0),
        }
    }
}

impl Block {
    fn apply(&self, x: &mut [f32], patterns: Option<&Panels>, shape: &Shape, scratch: &mut Scratch) {
        normalise(x, &self.norm_attention, &mut scratch.normal);
        self.qkv.multiply(&scratch.normal, &mut scratch.qkv);
        match (&self.bend, patterns) {
            (Some(bend), Some(patterns)) => {
                bend.apply(&scratch.normal, patterns, &mut scratch.bent);
                add(&mut scratch.bent, &self.bias);
            }
            _ => scratch.bent.copy_from_slice(&self.bias),
        }
        for head in 0..shape.heads {
            attend(head, shape, scratch);
        }
        self.out.multiply(&scratch.gathered, &mut scratch.update);
        add(x, &scratch.update);

        normalise(x, &self.norm_hidden, &mut scratch.normal);
        self.up.apply(&scratch.normal, &mut scratch.hidden);
        for value in &mut scratch.hidden {
            let positive = value.max(0.0);
            *value = positive * positive;
        }
        self.down.apply(&scratch.hidden, &mut scratch.update);
        add(x, &scratch.update);
    }
}

impl Bend {
    fn apply(&self, normal: &[f32], patterns: &Panels, bent: &mut [f32]) {
        let mut summary = vec![0.0; SQUARES * SQUEEZE];
        self.squeeze.multiply(normal, &mut summary);
        let mut mixed = vec![0.0; self.norm.len()];
        self.mix.apply(&summary, &mut mixed);
        for value in &mut mixed {
            *value = value.max(0.0);
        }
        let mut level = vec![0.0; mixed.len()];
        normalise(&mixed, &self.norm, &mut level);
        let mut codes = vec![0.0; self.spread.columns()];
        self.spread.multiply(&level, &mut codes);
        patterns.multiply(&codes, bent);
    }
}

/// One head: each square gathers from the squares it looks at.
fn attend(head: usize, shape: &Shape, scratch: &mut Scratch) {
    let dim = shape.dim;
    let width = dim / shape.heads;
    let qkv = &scratch.qkv;
    let entry = |square: usize, part: usize, column: usize| {
        qkv[square * 3 * dim + part * dim + head * width + column]
    };
    let scale = 1.0 / (width as f32).sqrt();
    for (square, row) in scratch.query.chunks_exact_mut(width).enumerate() {
        for (column, cell) in row.iter_mut().enumerate() {
            *cell = entry(square, 0, column) * scale;
        }
    }
    scratch.key.fill(|column, square| entry(square, 1, column));
    scratch.value.fill(|square, column| entry(square, 2, column));
    scratch.key.multiply(&scratch.query, &mut scratch.scores);
    add(&mut scratch.scores, &scratch.bent[head * SQUARES * SQUARES..][..SQUARES * SQUARES]);
    for row in scratch.scores.chunks_exact_mut(SQUARES) {
        softmax(row);
    }
    scratch.value.multiply(&scratch.scores, &mut scratch.head_out);
    for (row, out) in scratch.head_out.chunks_exact(width).zip(scratch.gathered.chunks_exact_mut(dim)) {
        out[head * width..][..width].copy_from_slice(row);
    }
}

pub fn add(target: &mut [f32], other: &[f32]) {
    for (target, other) in target.iter_mut().zip(other) {
        *target += other;
    }
}

/// Eight running sums, so that the order of additions is the same on every CPU.
fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    let ((left, left_rest), (right, right_rest)) = (left.as_chunks::<8>(), right.as_chunks::<8>());
    for (left, right) in left.iter().zip(right) {
        for ((sum, a), b) in sums.iter_mut().zip(left).zip(right) {
            *sum += a * b;
        }
    }
    let rest: f32 = left_rest.iter().zip(right_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

/// Each row divided by its root mean square, times the gain.
pub fn normalise(x: &[f32], gain: &[f32], out: &mut [f32]) {
    for (row, out) in x.chunks_exact(gain.len()).zip(out.chunks_exact_mut(gain.len())) {
        let scale = 1.0 / (dot(row, row) / gain.len() as f32 + 1e-6).sqrt();
        for ((out, value), gain) in out.iter_mut().zip(row).zip(gain) {
            *out = value * scale * gain;
        }
    }
}
