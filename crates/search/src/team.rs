//! How a worker takes part in each way of searching together.

use crate::frame::Frame;
use crate::move_picker::{MovePicker, Purpose};
use crate::stack::{Ply, Stack};
use crate::technique::Technique;
use crate::worker::Worker;
use chess::{Move, Position};
use kernel::sched::{Ybwc, YbwcLoop};
use kernel::{Depth, MAX_PLY, NodeKind, NodeType, NonPv, Policy, Pv, Root, RootMoves, Stop};

kernel::parallel_worker! { pub trait Scheduler for Worker, Technique, Move, NodeSnapshot }

/// Plies before a node whose moves, evaluations and killers are looked at from it.
const LOOK_BACK: usize = 6;
/// The node itself and its child, whose cutoffs are counted.
const LOOK_ON: usize = 2;

/// What a helper needs to search moves of another worker's node.
#[derive(Clone, Default)]
pub struct NodeSnapshot {
    node_type: NodeType,
    position: Position,
    frame: Option<Frame>,
    /// Keys since the last move that cannot be taken back.
    keys: Vec<u64>,
    plies: [Ply; LOOK_BACK + LOOK_ON],
    null_move_from: usize,
    root_depth: Depth,
    /// The root moves that are open, at the root.
    open: Vec<Move>,
}

/// Where a snapshot is filled from.
pub(crate) struct SnapshotSource<'a> {
    pub position: &'a Position,
    pub frame: &'a Frame,
    pub keys: &'a [u64],
    pub stack: &'a Stack,
    pub null_move_from: usize,
    pub root_depth: Depth,
    pub root_moves: &'a RootMoves<Move>,
}

impl NodeSnapshot {
    /// Becomes a copy of the owner's node.
    pub(crate) fn fill<N: NodeKind>(&mut self, source: &SnapshotSource<'_>) {
        self.node_type = N::TYPE;
        self.position.clone_from(source.position);
        self.frame = Some(*source.frame);
        let reversible = usize::from(source.position.halfmove_clock()).min(source.keys.len());
        self.keys.clear();
        self.keys.extend_from_slice(&source.keys[source.keys.len() - reversible..]);
        source.stack.copy_around(source.frame.ply, LOOK_BACK, &mut self.plies);
        self.null_move_from = source.null_move_from;
        self.root_depth = source.root_depth;
        self.open.clear();
        if N::ROOT {
            self.open.extend(source.root_moves.open_moves());
        }
    }
}

impl<P: Policy<Technique>> Worker<P, Ybwc<Move, NodeSnapshot>> {
    /// Searches moves of another worker's node until none is left or the node is decided, and returns to where it stood.
    pub(crate) fn search_snapshot(
        &mut self,
        mut snapshot: NodeSnapshot,
        walk: &mut YbwcLoop<Move, NodeSnapshot>,
    ) -> Result<(), Stop> {
        let Some(frame) = snapshot.frame else { return Ok(()) };
        let ply = frame.ply;
        let mut plies = snapshot.plies;
        self.stack.copy_around(ply, LOOK_BACK, &mut plies);
        self.stack.put_around(ply, LOOK_BACK, &snapshot.plies);
        snapshot.keys.reserve(MAX_PLY + 2);
        let keys = std::mem::replace(&mut self.keys, std::mem::take(&mut snapshot.keys));
        let null_move_from = std::mem::replace(&mut self.null_move_from, snapshot.null_move_from);
        let root_depth = std::mem::replace(&mut self.root_depth, snapshot.root_depth);
        let killer = self.stack[ply].killer.filter(|_| self.uses(Technique::Killers));
        let picker = MovePicker::new(Purpose::Node, frame.tt.mv, killer, frame.in_check, &self.arena);
        let mark = picker.start();

        let position = &snapshot.position;
        let result = match snapshot.node_type {
            NodeType::Root => {
                self.root_moves = RootMoves::new(snapshot.open.iter().copied());
                self.move_loop::<Root, _>(position, &frame, picker, walk)
            }
            NodeType::Pv => self.move_loop::<Pv, _>(position, &frame, picker, walk),
            NodeType::NonPv => self.move_loop::<NonPv, _>(position, &frame, picker, walk),
        };

        self.arena.release(mark);
        self.keys = keys;
        self.null_move_from = null_move_from;
        self.root_depth = root_depth;
        self.stack.put_around(ply, LOOK_BACK, &plies);
        result.map(|_| ())
    }
}
