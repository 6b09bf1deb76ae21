//! One message between ranks.

use crate::shared_progress::CompletedIteration;
use crate::table::Entry;

/// Deep table entries, and the deepest finished iteration where it is news.
#[derive(Clone, Debug)]
pub struct Batch<M> {
    /// The finished iteration.
    pub iteration: Option<CompletedIteration<M>>,
    /// Keys and entries, in the order they were stored.
    pub entries: Vec<(u64, Entry)>,
}

impl<M> Default for Batch<M> {
    fn default() -> Self {
        Self { iteration: None, entries: Vec::new() }
    }
}

impl<M: Copy> Batch<M> {
    /// Bytes before the entries: kind, search, numbers of moves and entries.
    pub const HEADER_BYTES: usize = 8;
    /// Depth, score and selective depth of an iteration.
    pub const ITERATION_BYTES: usize = 6;
    /// A move of its line.
    pub const MOVE_BYTES: usize = 2;
    /// A key and a packed entry.
    pub const ENTRY_BYTES: usize = 16;

    /// Nothing to tell?
    pub fn is_empty(&self) -> bool {
        self.iteration.is_none() && self.entries.is_empty()
    }

    /// How long the message is on the wire.
    pub fn wire_bytes(&self) -> usize {
        let iteration = self
            .iteration
            .as_ref()
            .map_or(0, |iteration| Self::ITERATION_BYTES + Self::MOVE_BYTES * iteration.line.len());
        Self::HEADER_BYTES + iteration + Self::ENTRY_BYTES * self.entries.len()
    }
}
