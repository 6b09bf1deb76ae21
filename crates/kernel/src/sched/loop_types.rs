//! What a move loop is told and what it tells.

use crate::depth::Depth;
use crate::line::Line;
use crate::score::Score;
use crate::window::Window;
use std::hash::Hash;

/// A move as the schedulers see it.
pub trait GameMove: Copy + PartialEq + Hash + Send + 'static {}

impl<M: Copy + PartialEq + Hash + Send + 'static> GameMove for M {}

/// What a loop is told about its node.
#[derive(Clone, Copy, Debug)]
pub struct NodeInfo {
    /// The window of the node.
    pub window: Window,
    /// The depth left.
    pub depth: Depth,
    /// The position's key.
    pub key: u64,
    /// A move that ends the node is expected.
    pub expects_cut: bool,
}

/// What a move just reported means for the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopUpdate {
    /// Not better than what the loop has.
    Ignored,
    /// The best so far, but not enough to raise alpha.
    Better,
    /// Raised alpha: a new principal variation.
    Raised,
    /// Reached beta: the loop is over.
    Cutoff,
}

/// What a finished loop knows.
#[derive(Clone, Debug)]
pub struct LoopResult<M> {
    /// The best score, if any move was reported.
    pub score: Option<Score>,
    /// The move that raised alpha, if any did.
    pub best: Option<M>,
    /// Moves offered, searched or not.
    pub offered: usize,
    /// The best line, when another worker found it.
    pub line: Option<Box<Line<M>>>,
}

/// A root move searched by a helper, reported to the owner.
#[derive(Clone, Debug)]
pub struct RootMoveReport<M> {
    /// The move.
    pub mv: M,
    /// Nodes spent on it.
    pub nodes: u64,
    /// Score, selective depth and the line after the move, if it became the best.
    pub found: Option<(Score, usize, Line<M>)>,
}
