//! The numbers of the search and the formulas over them.

use kernel::Depth;

kernel::tunables! {
    /// Numbers of the search.
    pub struct Parameters {
        /// centipawns that a draw is worth to the side that searches
        draw: -100..=100 = -7;
        /// centipawns for having the move, at the horizon
        having_the_move: 0..=50 = 3;
        /// reverse futility: centipawns a ply
        reverse_margin: 20..=300 = 70;
        /// reverse futility: deepest ply
        reverse_depth: 1..=10 = 6;
        /// razoring: centipawns
        razor_base: 20..=600 = 180;
        /// razoring: centipawns a ply
        razor_margin: 20..=400 = 120;
        /// futility: centipawns
        futility_base: 0..=300 = 60;
        /// futility: centipawns a ply of the reduced depth
        futility_margin: 10..=200 = 50;
        /// futility: deepest ply
        futility_depth: 1..=10 = 6;
        /// late move pruning: quiet moves always tried
        late_base: 1..=30 = 5;
        /// late move pruning: hundredths of a move by depth squared
        late_scale: 20..=400 = 120;
        /// late move pruning: deepest ply
        late_depth: 1..=10 = 6;
        /// reductions: hundredths of a ply
        reduction_base: 0..=300 = 60;
        /// reductions: hundredths that divide the product of the logarithms
        reduction_divisor: 80..=600 = 190;
        /// reductions: history that makes a ply
        reduction_history: 1000..=40000 = 8000;
        /// lazy evaluation: centipawns by which coverage can change since it was last computed
        lazy_margin: 0..=300 = 30;
        /// quiescence: centipawns that a zap can gain
        delta_margin: 100..=600 = 220;
        /// quiescence: neutral moves tried when the beam already stands on an enemy pawn
        standing_zaps: 1..=20 = 3;
    }
}

/// Plies by which late moves are looked at less deeply, by depth and move number.
pub(crate) type Reductions = [[u8; 64]; 64];

impl Parameters {
    /// Below this static value (minus the margin) a node cannot fall.
    pub(crate) fn reverse_futility(&self, depth: Depth, improving: bool) -> i32 {
        self.reverse_margin * (depth.plies() - i32::from(improving)).max(0)
    }

    pub(crate) fn razor(&self, depth: Depth) -> i32 {
        self.razor_base + self.razor_margin * depth.plies()
    }

    pub(crate) fn futility(&self, depth: Depth) -> i32 {
        self.futility_base + self.futility_margin * depth.plies()
    }

    /// Quiet moves tried at this depth before the rest are skipped.
    pub(crate) fn late_moves(&self, depth: Depth, improving: bool) -> usize {
        let moves = self.late_base + self.late_scale * depth.plies() * depth.plies() / 100;
        (if improving { moves } else { moves / 2 + 1 }) as usize
    }

    pub(crate) fn reductions(&self) -> Box<Reductions> {
        let mut table = Box::new([[0; 64]; 64]);
        let (base, divisor) =
            (f64::from(self.reduction_base) / 100.0, f64::from(self.reduction_divisor) / 100.0);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, plies) in row.iter_mut().enumerate().skip(1) {
                *plies = (base + (depth as f64).ln() * (number as f64).ln() / divisor) as u8;
            }
        }
        table
    }
}
