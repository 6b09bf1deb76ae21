//! Moves and variations as a tree in one array.
//!
//! Node 0 is the start, before any move. The first child of a node continues its line; the other children are
//! variations. Nothing here recurses, so no nesting is too deep for the stack.

use super::{Comment, Nag};
use crate::types::Move;
use std::num::NonZeroU32;

/// A place in the tree of one game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(NonZeroU32);

const _: () = assert!(size_of::<Option<NodeId>>() == 4);

impl NodeId {
    /// Before any move.
    pub const ROOT: NodeId = NodeId(NonZeroU32::MIN);

    const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// What led to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Start,
    Move(Move),
    /// `--`: the turn passes, as annotators show a threat.
    Null,
}

/// What is said about a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotation {
    /// Before the move: only the first move of a variation has such.
    pub before: Vec<Comment>,
    pub nags: Vec<Nag>,
    pub after: Vec<Comment>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub step: Step,
    pub parent: Option<NodeId>,
    pub first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    pub next_sibling: Option<NodeId>,
    /// Boxed, because most moves of most games have none.
    annotation: Option<Box<Annotation>>,
}

static NOTHING: Annotation = Annotation { before: Vec::new(), nags: Vec::new(), after: Vec::new() };

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tree(Vec<Node>);

impl Tree {
    pub fn new() -> Tree {
        Tree(vec![Node {
            step: Step::Start,
            parent: None,
            first_child: None,
            last_child: None,
            next_sibling: None,
            annotation: None,
        }])
    }

    /// Moves in all lines.
    pub fn len(&self) -> usize {
        self.0.len() - 1
    }

    /// An id of another game's longer tree answers the start.
    pub fn node(&self, id: NodeId) -> &Node {
        self.0.get(id.index()).unwrap_or(&self.0[0])
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        let index = if id.index() < self.0.len() { id.index() } else { 0 };
        &mut self.0[index]
    }

    pub fn annotation(&self, id: NodeId) -> &Annotation {
        self.node(id).annotation.as_deref().unwrap_or(&NOTHING)
    }

    pub fn annotation_mut(&mut self, id: NodeId) -> &mut Annotation {
        self.node_mut(id).annotation.get_or_insert_default()
    }

    /// Adds a child behind the others.
    pub fn add(&mut self, parent: NodeId, step: Step) -> NodeId {
        // Four billion nodes would need a hundred gigabytes; the readers stop long before.
        let number = u32::try_from(self.0.len() + 1).ok().and_then(NonZeroU32::new);
        let id = NodeId(number.unwrap_or(NonZeroU32::MAX));
        self.0.push(Node {
            step,
            parent: Some(parent),
            first_child: None,
            last_child: None,
            next_sibling: None,
            annotation: None,
        });
        let elder = self.node_mut(parent).last_child.replace(id);
        match elder {
            Some(elder) => self.node_mut(elder).next_sibling = Some(id),
            None => self.node_mut(parent).first_child = Some(id),
        }
        id
    }

    /// The children of a node: the continuation first, then its variations.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(id).first_child, |child| self.node(*child).next_sibling)
    }
}
