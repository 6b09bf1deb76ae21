//! A profiler's probe: the phase a worker is in, for a thread that samples it.
//!
//! A policy that counts keeps one byte up to date: the phase its worker is in. Another thread looks at it a thousand times a second,
//! and the shares of what it sees are shares of time, measured where the work happens, with the caches as the search leaves
//! them. Keeping the byte costs a store; under `Release` it compiles to nothing.

use crate::technique::Technique;
use kernel::Policy;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// A kind of work. Whatever is not one of the named parts belongs to the node, or the quiescence node, around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Phase {
    /// Not in the tree: setting up, between iterations, reporting.
    Outside,
    /// A node above the horizon, besides the parts below.
    Node,
    /// A quiescence node, besides the parts below.
    Quiescence,
    /// Listing moves.
    Generation,
    /// Scoring and picking moves.
    Ordering,
    /// Static exchange evaluation (SEE).
    StaticExchange,
    /// Making moves.
    MakeMove,
    /// The static evaluation.
    Evaluation,
    /// Reading and writing the transposition table.
    Table,
    /// Updating histories and corrections.
    HistoryUpdates,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Self; 10] = [
        Self::Outside,
        Self::Node,
        Self::Quiescence,
        Self::Generation,
        Self::Ordering,
        Self::StaticExchange,
        Self::MakeMove,
        Self::Evaluation,
        Self::Table,
        Self::HistoryUpdates,
    ];

    /// A name for reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outside => "outside the tree",
            Self::Node => "nodes themselves",
            Self::Quiescence => "quiescence nodes themselves",
            Self::Generation => "generating moves",
            Self::Ordering => "ordering moves",
            Self::StaticExchange => "static exchange evaluation",
            Self::MakeMove => "making moves",
            Self::Evaluation => "evaluation",
            Self::Table => "transposition table",
            Self::HistoryUpdates => "history updates",
        }
    }
}

/// One worker's present phase and how often it entered each, alone on their cache lines. Clones show the same worker.
#[derive(Clone, Debug, Default)]
pub struct PhaseProbe(Arc<PhaseState>);

#[derive(Debug, Default)]
#[repr(align(128))]
struct PhaseState {
    phase: AtomicU8,
    entered: [AtomicU64; Phase::ALL.len()],
}

impl PhaseProbe {
    /// What the worker does at this moment.
    pub fn phase(&self) -> Phase {
        Phase::ALL[usize::from(self.0.phase.load(Ordering::Relaxed)) % Phase::ALL.len()]
    }

    /// How often the worker entered a phase since it was made.
    pub fn entered(&self, phase: Phase) -> u64 {
        self.0.entered[phase as usize].load(Ordering::Relaxed)
    }

    /// Begins a phase; the answer is what to go back to.
    #[inline(always)]
    pub(crate) fn enter<P: Policy<Technique>>(&self, phase: Phase) -> u8 {
        if !P::COUNTS {
            return 0;
        }
        // Only the worker writes: a load and a store are enough, and cheaper than an atomic addition.
        let entered = &self.0.entered[phase as usize];
        entered.store(entered.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        let before = self.0.phase.load(Ordering::Relaxed);
        self.0.phase.store(phase as u8, Ordering::Relaxed);
        before
    }

    /// Goes back to the phase before.
    #[inline(always)]
    pub(crate) fn leave<P: Policy<Technique>>(&self, before: u8) {
        if P::COUNTS {
            self.0.phase.store(before, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{Lab, Release, TechniqueSet};

    #[test]
    fn phases_nest_and_are_counted_in_the_lab_only() {
        let phase_probe = PhaseProbe::default();
        let node = phase_probe.enter::<Lab<Technique>>(Phase::Node);
        let inner = phase_probe.enter::<Lab<Technique>>(Phase::Evaluation);
        assert_eq!(phase_probe.clone().phase(), Phase::Evaluation);
        phase_probe.leave::<Lab<Technique>>(inner);
        assert_eq!(phase_probe.phase(), Phase::Node);
        phase_probe.leave::<Lab<Technique>>(node);
        assert_eq!((phase_probe.phase(), phase_probe.entered(Phase::Evaluation)), (Phase::Outside, 1));
        let _ = phase_probe.enter::<Release>(Phase::Table);
        assert_eq!((phase_probe.phase(), phase_probe.entered(Phase::Table)), (Phase::Outside, 0));
    }

    #[test]
    fn every_phase_has_its_own_place_and_name() {
        for (place, phase) in Phase::ALL.into_iter().enumerate() {
            assert_eq!(phase as usize, place);
            assert_eq!(Phase::ALL.iter().filter(|other| other.name() == phase.name()).count(), 1);
        }
    }

    #[test]
    fn a_search_enters_every_phase_and_comes_out_again() {
        let policy = Lab(TechniqueSet::<Technique>::all());
        let clock = Arc::new(kernel::clock::ManualClock::new());
        let mut pool = crate::SearchPool::new(policy, 1, clock).unwrap();
        let game = chess::Game::default();
        pool.search(&game, &[], kernel::Limits::depth(7), &mut |_: kernel::Event<'_, chess::Move>| {});
        let phase_probe = pool.phase_probe();
        for phase in &Phase::ALL[1..] {
            assert!(phase_probe.entered(*phase) > 0, "{}", phase.name());
        }
        assert_eq!(phase_probe.phase(), Phase::Outside);
        // A node is made by a move, is looked up, and is evaluated at most once.
        let nodes = pool.counters()[kernel::counters::Count::Nodes];
        assert!(phase_probe.entered(Phase::Evaluation) <= nodes);
        assert!(phase_probe.entered(Phase::MakeMove) <= nodes);
    }
}
