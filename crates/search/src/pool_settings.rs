//! The settings of a search pool.

use kernel::exchange::{BatchSettings, NetworkSettings};
use kernel::sched::{Parallel, SplitSettings, VirtualSettings, even_teams};
use std::ops::Range;

/// How many workers, how they share the work, and whether their time is real or virtual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchPoolSettings {
    /// Real workers, one thread each.
    pub threads: usize,
    /// How they share the work.
    pub parallel: Parallel,
    /// Keep each thread on a core of its own. Only for a machine that does nothing else: two
    /// programs that pin take the same cores.
    pub pinned: bool,
    /// Workers in virtual time, in place of real ones.
    pub virtual_time: Option<VirtualSettings>,
    /// In virtual time, the ranks that the workers are divided into. Each has a table of its own.
    pub virtual_ranks: usize,
    /// The network between virtual ranks.
    pub network: NetworkSettings,
    /// What ranks, virtual or real, tell each other.
    pub batch: BatchSettings,
    /// When Young Brothers Wait shares a node.
    pub split: SplitSettings,
    /// Most workers in a team, where there are several teams.
    pub team_size: usize,
    /// The least depth at which ABDADA puts a move off.
    pub defer_depth: i32,
}

impl Default for SearchPoolSettings {
    fn default() -> Self {
        Self {
            threads: 1,
            parallel: Parallel::default(),
            pinned: false,
            virtual_time: None,
            virtual_ranks: 1,
            network: NetworkSettings::DEFAULT,
            batch: BatchSettings::DEFAULT,
            split: Self::SPLIT,
            team_size: Self::TEAM_SIZE,
            defer_depth: 3,
        }
    }
}

impl SearchPoolSettings {
    /// When a chess node is shared. Nodes of 8 plies and more are few and always open to helpers; smaller ones
    /// open while a worker waits (`results/parallel`).
    pub const SPLIT: SplitSettings = SplitSettings { open_depth: 8, ..SplitSettings::DEFAULT };

    /// Most workers in a team (`results/parallel`).
    pub const TEAM_SIZE: usize = 8;

    /// The workers of each rank. Only in virtual time there is more than one in a pool.
    pub fn ranks(&self) -> impl ExactSizeIterator<Item = Range<usize>> + use<> {
        let ranks = if self.virtual_time.is_some() { self.virtual_ranks.max(1) } else { 1 };
        even_teams(self.workers(), self.workers().div_ceil(ranks))
    }

    /// The workers of each team: of Young Brothers Wait, or of those that share marks. No team is larger than its rank.
    pub fn teams(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let largest = if self.parallel == Parallel::Teams { self.team_size } else { usize::MAX };
        self.ranks().flat_map(move |rank| {
            even_teams(rank.len(), largest).map(move |team| team.start + rank.start..team.end + rank.start)
        })
    }

    /// The workers that share histories and corrections. Workers that split one tree each see a part of it, so they share. A
    /// worker that searches all or half of a tree keeps its own: sharing costs cache lines that move between cores
    /// (`results/parallel`).
    pub fn history_groups(&self) -> impl Iterator<Item = Range<usize>> {
        let most_alone = match self.parallel {
            Parallel::Lazy => usize::MAX,
            Parallel::Ybwc | Parallel::Teams => 2,
            Parallel::Abdada => 1,
        };
        self.teams().filter(move |team| team.len() > most_alone)
    }

    /// At most so many workers, real or virtual.
    pub(crate) fn limit_workers(&mut self, most: usize) {
        self.threads = self.threads.min(most);
        if let Some(virtual_time) = &mut self.virtual_time {
            virtual_time.workers = virtual_time.workers.min(most);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_is_part_of_one_rank() {
        let teams = |parallel, workers, virtual_ranks| {
            let virtual_time = Some(VirtualSettings { workers, ..VirtualSettings::DEFAULT });
            let team_size = 4;
            let settings = SearchPoolSettings {
                parallel,
                virtual_time,
                virtual_ranks,
                team_size,
                ..SearchPoolSettings::default()
            };
            settings.teams().map(|team| (team.start, team.end)).collect::<Vec<_>>()
        };
        assert_eq!(teams(Parallel::Ybwc, 8, 2), [(0, 4), (4, 8)]);
        assert_eq!(teams(Parallel::Teams, 12, 2), [(0, 3), (3, 6), (6, 9), (9, 12)]);
        assert_eq!(teams(Parallel::Lazy, 3, 8), [(0, 1), (1, 2), (2, 3)], "no rank is empty");
    }

    #[test]
    fn workers_of_one_tree_share_histories() {
        let history_groups = |parallel, threads| {
            let settings =
                SearchPoolSettings { parallel, threads, team_size: 4, ..SearchPoolSettings::default() };
            settings.history_groups().map(|group| (group.start, group.end)).collect::<Vec<_>>()
        };
        assert_eq!(history_groups(Parallel::Lazy, 8), []);
        assert_eq!(history_groups(Parallel::Ybwc, 2), []);
        assert_eq!(history_groups(Parallel::Ybwc, 8), [(0, 8)]);
        assert_eq!(history_groups(Parallel::Abdada, 1), []);
        assert_eq!(history_groups(Parallel::Abdada, 2), [(0, 2)]);
        assert_eq!(history_groups(Parallel::Teams, 8), [(0, 4), (4, 8)]);
        assert_eq!(history_groups(Parallel::Teams, 5), [(2, 5)], "a pair does not share");
    }
}
