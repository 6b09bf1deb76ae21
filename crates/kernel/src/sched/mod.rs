//! How the moves of one node are shared among workers: three calls, and nothing else, in a node.
//!
//! A node function is written in three parts: what comes before the moves, the move loop, and what
//! comes after. It *opens* a [`MoveLoop`] at the start of the second part, is *offered* one move at
//! a time, and *joins* at the end. Alone, the loop object is plain locals. In a team, an owner may
//! publish a copy of its frame from within `offer`; helpers then run the same move-loop function
//! with a loop object that stands for the shared node.

mod solo;

pub use solo::{Solo, SoloLoop};

use crate::depth::Depth;
use crate::line::Line;
use crate::score::Score;
use crate::stop::Stop;
use crate::window::Window;

/// What a move just reported means for the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found<M> {
    /// The best score, if any move was reported.
    pub score: Option<Score>,
    /// The move that raised alpha, if any did.
    pub best: Option<M>,
    /// Moves offered, searched or not.
    pub offered: usize,
}

/// A way of sharing work.
pub trait Scheduler {
    /// The loop object for moves of type `M` and frames of type `F`.
    type Loop<M: Copy, F>: MoveLoop<M, F>;

    /// Opens a node's move loop.
    fn open<M: Copy, F>(&mut self, window: Window, depth: Depth) -> Self::Loop<M, F>;

    /// Has a sibling made the present subtree pointless?
    fn check(&self) -> Result<(), Stop>;
}

/// A node's walk through its moves.
pub trait MoveLoop<M: Copy, F> {
    /// The next move and its number from 1. `next` draws from the node's own picker; `frame` is
    /// called only when the node is published for others to join.
    fn offer(&mut self, next: impl FnMut() -> Option<M>, frame: impl FnOnce() -> F) -> Option<(M, usize)>;

    /// The window as it stands.
    fn window(&self) -> Window;

    /// The best score so far.
    fn best_score(&self) -> Option<Score>;

    /// Takes the result of a searched move; `line` is called only when the loop must carry it to
    /// another worker.
    fn report(&mut self, mv: M, score: Score, line: impl FnOnce() -> Line<M>) -> Verdict;

    /// Ends the loop, waiting for helpers if there are any.
    fn join(self) -> Result<Found<M>, Stop>;
}
