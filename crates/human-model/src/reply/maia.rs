//! Maia-1's networks (McIlroy-Young et al. 2020) as simulated people that owe nothing to this project.
//!
//! Towers of convolutions with squeeze and excitation, one network for each rating from 1100 to 1900, in Lc0's form. The weights are not
//! part of the project: `trainer/human/maia.py --export` makes this module's file of the published ones. For studies.

use super::circumstances::Circumstances;
use super::exponential::softmax;
use super::held_out::{WINDOW, rectify, windows};
use super::network::{Linear, SQUARES, add};
use super::panels::Panels;
use super::replies::{Replies, Reply};
use super::weights::{Reader, WeightsError, check_body, panels};
use chess::{Color, Game, Move, PieceKind, Position, Square};

pub const MAGIC: &[u8; 8] = b"TBYMAIA1";
const VERSION: u32 = 1;
/// Boards that a network sees, each with twelve planes of pieces and one of repetition.
const BOARDS: usize = 8;
const BOARD_PLANES: usize = 13;
const PLANES: usize = 112;
/// 7 distances in 8 directions, 8 knight jumps, 3 promotions of 3 directions, and padding.
const MOVE_PLANES: usize = 80;
const JUMPS: usize = 56;
const PROMOTIONS: usize = 64;
/// Rank and file of a step, in the order of the planes.
const STEPS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
const KNIGHT_JUMPS: [(i32, i32); 8] =
    [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)];

/// A 3 x 3 convolution, batch normalisation folded in.
type Convolution = Linear;

struct Block {
    first: Convolution,
    second: Convolution,
    squeeze: Linear,
    excite: Linear,
}

struct Network {
    rating: u16,
    input: Convolution,
    blocks: Vec<Block>,
    before_policy: Convolution,
    policy: Convolution,
}

/// All networks of a file; a player gets the one nearest to the rating.
pub struct MaiaModel {
    networks: Vec<Network>,
}

impl MaiaModel {
    pub fn from_bytes(bytes: &[u8]) -> Result<MaiaModel, WeightsError> {
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
        let (networks, width) = (field("networks", 1, 64)?, field("width", 1, 512)?);
        let (layers, gate) = (field("layers", 1, 64)?, field("gate", 1, 512)?);
        check_body(bytes, MAGIC.len() + 5 * 4, networks * body_length(width, layers, gate))?;
        let networks = (0..networks).map(|_| Network::read(&mut reader, width, layers, gate)).collect();
        Ok(MaiaModel { networks })
    }

    /// Every legal move with its probability, likeliest first. Of the circumstances only the rating counts.
    pub fn replies(&self, game: &Game, circumstances: &Circumstances) -> Replies {
        let points = circumstances.rating.points();
        let Some(network) = self.networks.iter().min_by_key(|network| network.rating.abs_diff(points)) else {
            return Replies::new(std::iter::empty());
        };
        let position = game.position();
        let moves = position.legal_moves();
        let scores = network.scores(&planes(game));
        let mut logits: Vec<f32> = moves.iter().map(|mv| scores[place(*mv, position)]).collect();
        softmax(&mut logits);
        Replies::new(moves.iter().copied().zip(logits).map(|(mv, probability)| Reply { mv, probability }))
    }
}

impl Network {
    fn read(reader: &mut Reader<'_>, width: usize, layers: usize, gate: usize) -> Network {
        let rating = reader.word() as u16;
        let input = dense(reader, width, WINDOW * PLANES);
        let blocks = (0..layers)
            .map(|_| Block {
                first: dense(reader, width, WINDOW * width),
                second: dense(reader, width, WINDOW * width),
                squeeze: dense(reader, gate, width),
                excite: dense(reader, 2 * width, gate),
            })
            .collect();
        let before_policy = dense(reader, width, WINDOW * width);
        let policy = dense(reader, MOVE_PLANES, WINDOW * width);
        Network { rating, input, blocks, before_policy, policy }
    }

    /// Squares of `MOVE_PLANES` scores.
    fn scores(&self, planes: &[f32]) -> Vec<f32> {
        let mut x = convolve(&self.input, planes, PLANES);
        rectify(&mut x);
        for block in &self.blocks {
            block.apply(&mut x);
        }
        let width = self.input.bias.len();
        let mut hidden = convolve(&self.before_policy, &x, width);
        rectify(&mut hidden);
        convolve(&self.policy, &hidden, width)
    }
}

impl Block {
    fn apply(&self, x: &mut [f32]) {
        let width = self.first.bias.len();
        let mut hidden = convolve(&self.first, x, width);
        rectify(&mut hidden);
        let y = convolve(&self.second, &hidden, width);
        let mut mean = vec![0.0; width];
        for row in y.chunks_exact(width) {
            add(&mut mean, row);
        }
        for sum in &mut mean {
            *sum /= SQUARES as f32;
        }
        let mut narrow = vec![0.0; self.squeeze.bias.len()];
        self.squeeze.apply(&mean, &mut narrow);
        rectify(&mut narrow);
        let mut excited = vec![0.0; 2 * width];
        self.excite.apply(&narrow, &mut excited);
        let (gates, shifts) = excited.split_at(width);
        for (target, row) in x.chunks_exact_mut(width).zip(y.chunks_exact(width)) {
            for (((target, value), gate), shift) in target.iter_mut().zip(row).zip(gates).zip(shifts) {
                *target = (*target + value / (1.0 + (-gate).exp()) + shift).max(0.0);
            }
        }
    }
}

fn convolve(convolution: &Convolution, x: &[f32], inputs: usize) -> Vec<f32> {
    let mut out = vec![0.0; SQUARES * convolution.bias.len()];
    convolution.apply(&windows(x, inputs), &mut out);
    out
}

/// Every number a 32-bit float: a row of weights for each output, then the biases.
fn dense(reader: &mut Reader<'_>, outputs: usize, inputs: usize) -> Linear {
    let weights: Panels = panels(&reader.floats(outputs * inputs), inputs);
    Linear { weights, bias: reader.floats(outputs) }
}

fn body_length(width: usize, layers: usize, gate: usize) -> usize {
    let dense = |outputs: usize, inputs: usize| 4 * outputs * (inputs + 1);
    let block = 2 * dense(width, WINDOW * width) + dense(gate, width) + dense(2 * width, gate);
    let policy = dense(width, WINDOW * width) + dense(MOVE_PLANES, WINDOW * width);
    4 + dense(width, WINDOW * PLANES) + layers * block + policy
}

/// As Lc0 makes them, for the player to move: eight boards, castling rights, colour, fifty-move counter, zeros, ones.
fn planes(game: &Game) -> Vec<f32> {
    let mut planes = vec![0.0; SQUARES * PLANES];
    let position = game.position();
    let turn = position.turn();
    let all = game.positions();
    for back in 0..BOARDS {
        let index = all.len().checked_sub(back + 1);
        // Before a position that was set up Lc0 repeats it; before the start of a game there is nothing.
        let is_set_up = all.first().is_some_and(|first| first.key() != Position::default().key());
        let Some(index) = index.or(is_set_up.then_some(0)) else { break };
        let Some(then) = all.get(index) else { break };
        let board = then.board();
        let plane = BOARD_PLANES * back;
        for square in Square::all() {
            let cell = square.relative_to(turn).index() * PLANES;
            if let Some(piece) = board.piece_on(square) {
                planes[cell + plane + piece.kind().index() + if piece.color() == turn { 0 } else { 6 }] = 1.0;
            }
        }
        if all[..index].iter().any(|earlier| earlier.key() == then.key()) {
            fill(&mut planes, plane + 12, 1.0);
        }
    }
    let board = position.board();
    for rook in board.castling_rooks() {
        let is_theirs = !board.color(turn).has(rook);
        let is_kingside = rook.index() % 8 > 3;
        fill(&mut planes, 104 + 2 * usize::from(is_theirs) + usize::from(is_kingside), 1.0);
    }
    fill(&mut planes, 108, f32::from(u8::from(turn == Color::Black)));
    fill(&mut planes, 109, f32::from(position.halfmove_clock().min(100)));
    fill(&mut planes, 111, 1.0);
    planes
}

fn fill(planes: &mut [f32], plane: usize, value: f32) {
    for square in planes.chunks_exact_mut(PLANES) {
        square[plane] = value;
    }
}

/// Where the score of a legal move is: castling is the king that takes its rook, as in [`Move`], and promotion to a knight a plain step.
fn place(mv: Move, position: &Position) -> usize {
    let turn = position.turn();
    let (from, to) = (mv.from(), mv.to());
    let (from, to) = (from.relative_to(turn).index() as i32, to.relative_to(turn).index() as i32);
    let step = (to / 8 - from / 8, to % 8 - from % 8);
    let plane = match mv.promotes_to() {
        Some(PieceKind::Rook) => PROMOTIONS + 3 * (step.1 + 1) as usize,
        Some(PieceKind::Bishop) => PROMOTIONS + 3 * (step.1 + 1) as usize + 1,
        Some(PieceKind::Queen) => PROMOTIONS + 3 * (step.1 + 1) as usize + 2,
        _ => {
            let jump = KNIGHT_JUMPS.iter().position(|jump| *jump == step).map(|jump| JUMPS + jump);
            jump.unwrap_or_else(|| straight(step))
        }
    };
    from as usize * MOVE_PLANES + plane
}

/// The plane of a step along a rank, file or diagonal.
fn straight(step: (i32, i32)) -> usize {
    let distance = step.0.abs().max(step.1.abs()).max(1);
    let direction = (step.0 / distance, step.1 / distance);
    let number = STEPS.iter().position(|step| *step == direction).unwrap_or(0);
    7 * number + distance as usize - 1
}
