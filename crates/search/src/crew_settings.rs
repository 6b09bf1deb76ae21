//! How a crew works together.

use kernel::sched::{Parallel, SplitSettings, VirtualSettings};

/// How many workers, how they share the work, and whose time they live in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CrewSettings {
    /// Real workers, one thread each.
    pub threads: usize,
    /// How they share the work.
    pub parallel: Parallel,
    /// Keep each thread on a core of its own. Only for a machine that does nothing else: two
    /// programs that pin take the same cores.
    pub pinned: bool,
    /// Workers in virtual time, in place of real ones.
    pub virtual_time: Option<VirtualSettings>,
    /// When Young Brothers Wait shares a node.
    pub split: SplitSettings,
    /// The least depth at which ABDADA puts a move off.
    pub defer_depth: i32,
}

impl Default for CrewSettings {
    fn default() -> Self {
        Self {
            threads: 1,
            parallel: Parallel::default(),
            pinned: false,
            virtual_time: None,
            split: Self::SPLIT,
            defer_depth: 3,
        }
    }
}

impl CrewSettings {
    /// When a chess node is shared. Nodes of eight plies and more are few and worth keeping open for whoever comes; smaller ones
    /// are joined by whoever waits just then (`results/parallel`).
    pub const SPLIT: SplitSettings = SplitSettings { open_depth: 8, ..SplitSettings::DEFAULT };

    /// Do workers learn in the same histories and corrections? Who shares a tree out sees only a part of it, and needs what the others
    /// learn. Who searches all of it, or half of it, learns the same alone, without the lines of memory going to and fro between cores
    /// (`results/parallel`).
    pub fn shares_lessons(&self) -> bool {
        match self.parallel {
            Parallel::Lazy => false,
            Parallel::Ybwc => self.workers() > 2,
            Parallel::Abdada => true,
        }
    }

    /// Workers, real or virtual.
    pub fn workers(&self) -> usize {
        match self.virtual_time {
            Some(virtual_time) => virtual_time.workers.clamp(1, kernel::sched::virtual_time::MOST_WORKERS),
            None => self.threads.max(1),
        }
    }
}
