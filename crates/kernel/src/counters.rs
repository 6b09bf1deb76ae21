//! What a search did, counted per worker.
//!
//! A worker counts in plain integers of its own and publishes them now and then to a padded block
//! that others may read: no shared cache line is written from two cores.

use std::ops::{AddAssign, Index, IndexMut};
use std::sync::atomic::{AtomicU64, Ordering};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Count {
    /// All nodes, quiescence included.
    Nodes,
    /// Quiescence nodes.
    QuiescenceNodes,
    /// Table probes that found the position, at PV nodes.
    TableHitsPv,
    /// Table probes that found the position, at expected cut nodes.
    TableHitsCut,
    /// Table probes that found the position, at expected all nodes.
    TableHitsAll,
    /// Table results that ended a node.
    TableCutoffs,
    /// Fail-highs in the move loop.
    FailHighs,
    /// Fail-highs by the very first move: the quality of the ordering.
    FirstMoveFailHighs,
    /// Table-base probes answered.
    TableBaseHits,
    /// Nodes offered to other workers.
    SplitPoints,
    /// Split points joined.
    Joins,
    /// Subtrees abandoned because a sibling failed high.
    Aborts,
    /// Times an owner waited for its helpers.
    Waits,
    /// Moves put off because another worker was searching them.
    Deferrals,
    /// Nodes a helper searched at a node that was decided or given up meanwhile.
    WastedNodes,
    /// Microseconds spent without work.
    Idle,
}

impl Count {
    /// Every counter, in order.
    pub const ALL: [Self; 16] = [
        Self::Nodes,
        Self::QuiescenceNodes,
        Self::TableHitsPv,
        Self::TableHitsCut,
        Self::TableHitsAll,
        Self::TableCutoffs,
        Self::FailHighs,
        Self::FirstMoveFailHighs,
        Self::TableBaseHits,
        Self::SplitPoints,
        Self::Joins,
        Self::Aborts,
        Self::Waits,
        Self::Deferrals,
        Self::WastedNodes,
        Self::Idle,
    ];

    /// What a scheduler counts, beside the node counter.
    pub const SHARING: [Self; 6] =
        [Self::SplitPoints, Self::Joins, Self::Aborts, Self::Waits, Self::Deferrals, Self::WastedNodes];

    /// A name for reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::QuiescenceNodes => "quiescence nodes",
            Self::TableHitsPv => "table hits (PV)",
            Self::TableHitsCut => "table hits (cut)",
            Self::TableHitsAll => "table hits (all)",
            Self::TableCutoffs => "table cutoffs",
            Self::FailHighs => "fail-highs",
            Self::FirstMoveFailHighs => "first-move fail-highs",
            Self::TableBaseHits => "table-base hits",
            Self::SplitPoints => "offers",
            Self::Joins => "takes",
            Self::Aborts => "aborts",
            Self::Waits => "waits",
            Self::Deferrals => "deferrals",
            Self::WastedNodes => "wasted nodes",
            Self::Idle => "idle",
        }
    }
}

/// One worker's counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters([u64; Count::ALL.len()]);

impl Counters {
    /// Joins over what a scheduler has counted so far.
    pub fn adopt(&mut self, tally: &Self) {
        for count in Count::SHARING {
            self[count] = tally[count];
        }
    }
}

impl Index<Count> for Counters {
    type Output = u64;
    #[inline]
    fn index(&self, count: Count) -> &u64 {
        &self.0[count as usize]
    }
}

impl IndexMut<Count> for Counters {
    #[inline]
    fn index_mut(&mut self, count: Count) -> &mut u64 {
        &mut self.0[count as usize]
    }
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

/// A worker's published counts, alone on their cache lines.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Published([AtomicU64; Count::ALL.len()]);

impl Published {
    /// Makes the counts visible to other workers.
    pub fn publish(&self, counters: &Counters) {
        for (shared, mine) in self.0.iter().zip(counters.0) {
            shared.store(mine, Ordering::Relaxed);
        }
    }

    /// One published count.
    pub fn get(&self, count: Count) -> u64 {
        self.0[count as usize].load(Ordering::Relaxed)
    }

    /// All published counts.
    pub fn snapshot(&self) -> Counters {
        let mut counters = Counters::default();
        for (mine, shared) in counters.0.iter_mut().zip(&self.0) {
            *mine = shared.load(Ordering::Relaxed);
        }
        counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_distinct_places_and_travel_whole() {
        let mut counters = Counters::default();
        for (index, count) in Count::ALL.into_iter().enumerate() {
            assert_eq!(count as usize, index, "{}", count.name());
            counters[count] += index as u64 + 1;
        }
        let published = Published::default();
        published.publish(&counters);
        assert_eq!(published.snapshot(), counters);
        assert_eq!(published.get(Count::Idle), Count::ALL.len() as u64);
        let mut sum = counters;
        sum += counters;
        assert_eq!(sum[Count::Nodes], 2);
        sum.adopt(&counters);
        assert_eq!(sum[Count::Joins], counters[Count::Joins], "a scheduler's counts replace the old ones");
        assert_eq!(sum[Count::Nodes], 2, "what the node counter counts stays");
    }
}
