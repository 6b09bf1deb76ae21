//! How a worker takes part in each way of searching together.

use kernel::sched::{Ybwc, YbwcLoop};
use kernel::{MAX_PLY, NodeKind, NodeType, NonPv, Policy, Pv, Root, RootMoves, Stop};
use laser::Move;

use super::node_state::NodeState;
use super::technique::Technique;
use super::worker::{Frame, Worker};
use crate::eval::beam_path::BeamPath;

kernel::parallel_worker! { pub(crate) trait Scheduler for Worker, Technique, Move, NodeSnapshot }

/// Frames before a node that are looked at from it, and the node's own.
const FRAMES: usize = 3;

/// What a helper needs to walk through the moves of another worker's node.
#[derive(Clone, Default)]
pub(crate) struct NodeSnapshot {
    node_type: NodeType,
    state: Option<NodeState>,
    keys: Vec<u64>,
    frames: [Frame; FRAMES],
    /// The root moves that are open, at the root.
    open: Vec<Move>,
}

/// Where a snapshot is filled from.
pub(crate) struct SnapshotSource<'a> {
    pub(crate) state: &'a NodeState,
    pub(crate) keys: &'a [u64],
    pub(crate) frames: &'a [Frame],
    pub(crate) root_moves: &'a RootMoves<Move>,
}

impl NodeSnapshot {
    /// Becomes a picture of the owner's node.
    pub(crate) fn fill<N: NodeKind>(&mut self, source: &SnapshotSource<'_>) {
        self.node_type = N::TYPE;
        self.state = Some(*source.state);
        self.keys.clear();
        self.keys.extend_from_slice(source.keys);
        let (from, count) = around(source.state.ply);
        self.frames[..count].copy_from_slice(&source.frames[from..from + count]);
        self.open.clear();
        if N::ROOT {
            self.open.extend(source.root_moves.open_moves());
        }
    }
}

/// The frames a node looks at: where they begin and how many there are.
fn around(ply: usize) -> (usize, usize) {
    let from = ply.saturating_sub(FRAMES - 1);
    (from, ply - from + 1)
}

impl<P: Policy<Technique>> Worker<P, Ybwc<Move, NodeSnapshot>> {
    /// Searches moves of another worker's node until none is left or the node is decided, and returns to where it stood.
    pub(crate) fn search_snapshot(
        &mut self,
        mut snapshot: NodeSnapshot,
        walk: &mut YbwcLoop<Move, NodeSnapshot>,
    ) -> Result<(), Stop> {
        let Some(state) = snapshot.state else { return Ok(()) };
        let (from, count) = around(state.ply);
        let mut frames = [Frame::default(); FRAMES];
        frames[..count].copy_from_slice(&self.frames[from..from + count]);
        self.frames[from..from + count].copy_from_slice(&snapshot.frames[..count]);
        snapshot.keys.reserve(MAX_PLY + 2);
        let keys = std::mem::replace(&mut self.keys, std::mem::take(&mut snapshot.keys));

        let beam = BeamPath::of(&state.position, state.position.side_to_move());
        let result = match snapshot.node_type {
            NodeType::Root => {
                self.root_moves = RootMoves::new(snapshot.open.iter().copied());
                self.try_moves::<Root, _>(&state, &beam, walk)
            }
            NodeType::Pv => self.try_moves::<Pv, _>(&state, &beam, walk),
            NodeType::NonPv => self.try_moves::<NonPv, _>(&state, &beam, walk),
        };

        self.keys = keys;
        self.frames[from..from + count].copy_from_slice(&frames[..count]);
        result
    }
}
