//! What a search may spend. Which root moves it may consider is the game's affair.

use crate::depth::Depth;
use std::time::Duration;

/// The mover's clock in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayClock {
    /// Time left to the mover.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` is sudden death.
    pub moves_to_go: Option<u32>,
}

/// Every limit a search can be given; absent ones do not bind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Deepest iteration.
    pub depth: Option<Depth>,
    /// Never search more nodes than this.
    pub nodes: Option<u64>,
    /// Start no new iteration after this many nodes.
    pub soft_nodes: Option<u64>,
    /// End when a mate in this many moves is proven.
    pub mate: Option<u32>,
    /// Spend exactly this long.
    pub move_time: Option<Duration>,
    /// Share out a playing clock.
    pub clock: Option<PlayClock>,
    /// Plies played in the game so far: later moves get more of the clock.
    pub ply: u32,
    /// Search until told to stop, and give no result before.
    pub infinite: bool,
    /// The opponent is to move in truth: give no result before `ponderhit` or `stop`.
    pub ponder: bool,
}

impl Limits {
    /// Search to a fixed depth.
    pub fn depth(plies: i32) -> Self {
        Self { depth: Some(Depth::new(plies)), ..Self::default() }
    }

    /// Search a fixed number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Nothing but an order from outside ends this search.
    pub fn is_unbounded(&self) -> bool {
        self.infinite
            || (self.depth.is_none()
                && self.nodes.is_none()
                && self.soft_nodes.is_none()
                && self.mate.is_none()
                && self.move_time.is_none()
                && self.clock.is_none())
    }
}
