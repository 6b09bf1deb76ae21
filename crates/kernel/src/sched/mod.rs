//! How the moves of one node are shared among workers: a few calls, and nothing else, in a node.
//!
//! A node function is written in three parts: what comes before the moves, the move loop, and what
//! comes after. It *opens* a [`MoveLoop`] at the start of the second part, is *offered* one move at
//! a time, and *joins* at the end. Alone, the loop object is plain locals ([`Solo`]). In Young
//! Brothers Wait ([`Ybwc`]) an owner publishes a copy of its frame from within `offer`; helpers
//! then run the same move-loop function with a loop object that stands for the shared node. In
//! ABDADA ([`Abdada`]) `offer` puts off moves that somebody else is searching. Lazy SMP shares no
//! nodes: its workers are [`Solo`] and meet in the table. With many workers, several teams of Young Brothers Wait
//! may meet there instead ([`ybwc_workers`]).
//!
//! Around the nodes: [`parallel_search()`] is one search by several workers; [`thread_pool`] keeps threads, [`virtual_time`] lets many workers take turns on one
//! thread by a clock of their own, and [`pace`] is the one small trait between them and a worker.

pub mod abdada;
mod affinity;
pub mod pace;
mod parallel_search;
mod parallel_worker;
mod solo;
mod split_helper;
pub mod split_point;
mod team;
pub mod thread_pool;
pub mod virtual_time;
pub mod ybwc;

pub use abdada::{Abdada, AbdadaLoop, CurrentlySearching};
pub use affinity::pin;
pub use pace::Pacer;
pub use parallel_search::parallel_search;
pub use parallel_worker::{ParallelWorker, search_root_as_helper};
pub use solo::{Solo, SoloLoop};
pub use split_helper::{SplitHelper, help_ybwc, join_split_point, serve_split_points};
pub use split_point::SplitPoint;
pub use team::{SplitSettings, Team, even_teams};
pub use thread_pool::ThreadPool;
pub use virtual_time::{Timeline, VirtualSettings};
pub use ybwc::{Ybwc, YbwcLoop, ybwc_workers};

use crate::counters::Counters;
use crate::depth::Depth;
use crate::line::Line;
use crate::score::Score;
use crate::stop::Stop;
use crate::window::Window;
use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

/// The ways of searching together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parallel {
    /// Lazy SMP: each worker searches the root on its own; they meet in the table.
    #[default]
    Lazy,
    /// Young Brothers Wait: workers join each other's nodes once the first move is searched.
    Ybwc,
    /// Lazy SMP that puts off moves being searched elsewhere.
    Abdada,
    /// Several teams of Young Brothers Wait, each of which searches the root as one worker of Lazy SMP does.
    Teams,
}

impl Parallel {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Lazy, Self::Ybwc, Self::Abdada, Self::Teams];

    /// The name used in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lazy => "lazy",
            Self::Ybwc => "ybwc",
            Self::Abdada => "abdada",
            Self::Teams => "teams",
        }
    }
}

impl fmt::Display for Parallel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No way of searching together has this name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownParallel;

impl FromStr for Parallel {
    type Err = UnknownParallel;

    fn from_str(text: &str) -> Result<Self, UnknownParallel> {
        Self::ALL.into_iter().find(|way| way.name().eq_ignore_ascii_case(text)).ok_or(UnknownParallel)
    }
}

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

/// A way of sharing work.
pub trait Scheduler<M: GameMove, F>: Sized {
    /// Moves may be offered later than they are drawn.
    const REORDERS: bool = false;

    /// The loop object.
    type Loop: MoveLoop<M, F, Self>;

    /// Ready for a new search.
    fn reset(&mut self) {}

    /// Opens a node's move loop.
    fn open(&mut self, info: NodeInfo) -> Self::Loop;

    /// Has a sibling made the present subtree pointless?
    fn check(&mut self) -> Result<(), Stop>;

    /// What this worker has offered, taken, abandoned, waited for and put off in this search.
    fn tally(&self) -> Counters {
        Counters::default()
    }
}

/// The move loop of a node.
pub trait MoveLoop<M: GameMove, F, S> {
    /// The next move and its number from 1. `next` draws from the node's own picker; `frame` is
    /// called only when the node is published for others to join.
    fn offer(
        &mut self,
        scheduler: &mut S,
        next: impl FnMut() -> Option<M>,
        frame: impl FnOnce(&mut F),
    ) -> Option<(M, usize)>;

    /// The window as it stands.
    fn window(&self) -> Window;

    /// The same once more, where others may have raised alpha since this worker was offered its move.
    fn renewed_window(&mut self) -> Window {
        self.window()
    }

    /// The best score so far.
    fn best_score(&self) -> Option<Score>;

    /// Takes the result of a searched move; `line` (the move included) is called only when the loop
    /// must carry it to another worker.
    fn report(
        &mut self,
        scheduler: &mut S,
        mv: M,
        score: Score,
        line: impl FnOnce() -> Line<M>,
    ) -> LoopUpdate;

    /// A search below was abandoned. `Ok` when the reason was this very loop, decided by another
    /// worker: then `join` tells the result. Otherwise the loop is closed and the reason goes on.
    fn settle(&mut self, scheduler: &mut S, stop: Stop) -> Result<(), Stop>;

    /// Ends the loop, waiting for helpers if there are any.
    fn join<H: SplitHelper<M, F, Scheduler = S>>(&mut self, worker: &mut H) -> Result<LoopResult<M>, Stop>;

    /// Every move reported here so far, by whomever, where the node is shared.
    fn reported(&self) -> Option<Vec<M>> {
        None
    }

    /// What the workers at this node have counted together ([`MoveLoop::count`]); `own` is as far as this worker knows.
    fn counted(&self, own: usize) -> usize {
        own
    }

    /// This worker has counted so many more.
    fn count(&self, _more: usize) {}

    /// Is this worker a helper at another's node?
    fn is_helper(&self) -> bool {
        false
    }

    /// A helper at the root reports a move to the owner.
    fn report_root_move(&mut self, _report: RootMoveReport<M>) {}

    /// What helpers have reported since the last call.
    fn root_reports(&mut self) -> Vec<RootMoveReport<M>> {
        Vec::new()
    }
}
