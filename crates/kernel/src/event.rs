//! The events of a running search. The driver is the only writer.

use crate::bound::Bound;
use crate::depth::Depth;
use crate::line::Line;
use crate::score::Score;
use std::time::Duration;

/// One report about one line.
#[derive(Clone, Debug)]
pub struct Info<'a, M> {
    /// Iteration.
    pub depth: Depth,
    /// Deepest ply reached under this line.
    pub selective_depth: usize,
    /// Rank of this line, from 1.
    pub rank: usize,
    /// Its value.
    pub score: Score,
    /// `Exact`, or a bound when the aspiration window failed.
    pub bound: Bound,
    /// The score is the result of perfect play: a mate, a table base's result, or a dead draw.
    pub is_result: bool,
    /// Nodes of all workers.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Table use in thousandths.
    pub permille_used: u32,
    /// Table-base probes answered.
    pub table_base_hits: u64,
    /// The moves.
    pub line: &'a Line<M>,
}

/// What the driver reports.
#[derive(Clone, Debug)]
pub enum Event<'a, M> {
    /// A line and its value.
    Info(Info<'a, M>),
    /// A worker panicked: what follows is what was known.
    Failed,
    /// The end: the chosen move, and the expected reply; `None` when there is no legal move.
    Best {
        /// The move to play.
        best: Option<M>,
        /// The reply to ponder on.
        ponder: Option<M>,
    },
}

/// A receiver of events.
pub trait Sink<M> {
    /// Takes one event.
    fn event(&mut self, event: Event<'_, M>);
}

impl<M, F: FnMut(Event<'_, M>)> Sink<M> for F {
    fn event(&mut self, event: Event<'_, M>) {
        self(event);
    }
}
