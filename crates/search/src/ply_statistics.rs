//! Statistics of one iteration by distance from the root, with the measures of KLAS; for study only.

/// Plies that are told apart; what happens deeper is not recorded.
pub const STATISTICS_PLIES: usize = 16;

/// One distance from the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlyCounts {
    /// Nodes in whose list some move raised the bound or cut off.
    pub good_nodes: u64,
    /// The sum of those moves' places in the list, from 0: the last that raised the bound, or the one that cut off.
    pub good_places: u64,
    /// Positions found in the table with an exact score, a lower and an upper bound.
    pub hits: [u64; 3],
}

impl PlyCounts {
    /// KLAS's Good Move Index: the mean place of the move that mattered. Lower is better ordered.
    pub fn good_move_index(&self) -> Option<f64> {
        (self.good_nodes > 0).then(|| self.good_places as f64 / self.good_nodes as f64)
    }
}

/// The rows of the last iteration of one worker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlyStatistics {
    pub rows: [PlyCounts; STATISTICS_PLIES],
}

impl PlyStatistics {
    #[inline]
    pub(crate) fn good_move(&mut self, ply: usize, number: usize) {
        if let Some(row) = self.rows.get_mut(ply) {
            row.good_nodes += 1;
            row.good_places += number.saturating_sub(1) as u64;
        }
    }

    #[inline]
    pub(crate) fn hit(&mut self, ply: usize, bound: kernel::Bound) {
        let place = match bound {
            kernel::Bound::Exact => 0,
            kernel::Bound::Lower => 1,
            kernel::Bound::Upper => 2,
            kernel::Bound::None => return,
        };
        if let Some(row) = self.rows.get_mut(ply) {
            row.hits[place] += 1;
        }
    }
}
