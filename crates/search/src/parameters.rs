//! Every number of the search, each in one place with its range; formulas stand beside them.

use chess::PieceKind;
use kernel::Depth;

kernel::tunables! {
    /// The search's numbers. Centipawns unless said otherwise; reductions in 1024ths of a ply.
    pub struct Parameters {
        /// half-width of the first aspiration window
        aspiration: 5..=50 = 14;
        /// aspiration: a fail-high is confirmed up to this many plies shallower
        aspiration_reduction: 0..=4 = 2;

        /// reverse futility: margin per ply
        reverse_futility: 30..=160 = 47;
        /// reverse futility: deepest ply
        reverse_futility_depth: 4..=14 = 8;
        /// razoring: deepest ply
        razoring_depth: 1..=8 = 4;
        /// razoring: margin at depth zero
        razoring_base: 50..=500 = 290;
        /// razoring: margin per squared ply
        razoring: 80..=500 = 239;
        /// null move: least depth
        null_move_depth: 1..=6 = 3;
        /// null move: plies of reduction at least
        null_move_base: 2..=6 = 4;
        /// null move: depth per further ply of reduction
        null_move_divisor: 2..=6 = 3;
        /// null move: evaluation above beta per further ply of reduction
        null_move_eval: 80..=400 = 201;
        /// null move: most plies of reduction for the evaluation
        null_move_eval_plies: 1..=6 = 3;
        /// null move: depth from which a cutoff is verified
        null_move_verification_depth: 8..=30 = 14;
        /// null move: how far below beta the static evaluation may lie, at depth zero
        null_move_slack: 0..=300 = 101;
        /// null move: how much of that slack each ply takes away
        null_move_slack_ply: 0..=40 = 14;
        /// probcut: least depth
        probcut_depth: 3..=10 = 5;
        /// probcut: plies of reduction
        probcut_reduction: 2..=6 = 4;
        /// probcut: margin above beta
        probcut: 80..=400 = 188;
        /// probcut: margin less when improving
        probcut_improving: 0..=150 = 24;
        /// internal iterative reduction: least depth
        internal_reduction_depth: 2..=10 = 5;
        /// internal iterative reduction: plies by which the table's entry must be shallower
        internal_reduction_entry: 2..=12 = 6;
        /// reverse futility: part of the margin per ply, in quarters, that the opponent's worse evaluation saves
        reverse_futility_worsening: 0..=8 = 2;

        /// late move pruning: moves always allowed
        late_move_base: 1..=10 = 6;
        /// futility: reduced depth below which it applies
        futility_depth: 4..=16 = 8;
        /// futility: margin at depth zero
        futility_base: 20..=250 = 21;
        /// futility: margin per ply of reduced depth
        futility: 30..=200 = 84;
        /// history pruning: reduced depth below which it applies
        history_pruning_depth: 2..=14 = 7;
        /// history pruning: history per ply below which a quiet move is skipped
        history_pruning: 1000..=8000 = 3856;
        /// exchange pruning of quiet moves: loss per squared ply
        exchange_quiet: 5..=80 = 26;
        /// exchange pruning of captures: depth below which it applies
        exchange_noisy_depth: 4..=20 = 9;
        /// exchange pruning of captures: loss per ply
        exchange_noisy: 30..=200 = 72;

        /// singular extensions: least depth
        singular_depth: 4..=10 = 6;
        /// singular extensions: plies by which the table's depth may be less
        singular_table_depth: 1..=6 = 3;
        /// singular extensions: most double extensions on a path
        double_limit: 2..=40 = 15;
        /// negative extension: plies where the stored score beats beta
        negative_extension_beta: 0..=4 = 2;
        /// negative extension: plies at other expected cut nodes
        negative_extension_cut: 0..=3 = 1;
        /// singular extensions: margin per ply, in 64ths of a centipawn
        singular_margin: 20..=200 = 90;
        /// double extension: further margin
        double_margin: 0..=60 = 14;
        /// triple extension: further margin
        triple_margin: 40..=300 = 89;

        /// reductions of quiet moves: constant
        reduction_quiet_base: 0..=2000 = 809;
        /// reductions of quiet moves: divisor of the product of logarithms, in 1024ths
        reduction_quiet_divisor: 1200..=4000 = 2351;
        /// reductions of noisy moves: constant
        reduction_noisy_base: -500..=1500 = 252;
        /// reductions of noisy moves: divisor of the product of logarithms, in 1024ths
        reduction_noisy_divisor: 1500..=6000 = 2735;
        /// reduced more at expected cut nodes
        reduction_cut_node: 0..=3000 = 1268;
        /// reduced more when not improving
        reduction_not_improving: 0..=2000 = 721;
        /// reduced less on what was a principal variation
        reduction_table_pv: 0..=2500 = 1097;
        /// reduced less at PV nodes
        reduction_pv: 0..=2500 = 1003;
        /// reduced less when giving check
        reduction_check: 0..=2500 = 978;
        /// reduced less for a killer
        reduction_killer: 0..=2500 = 1092;
        /// reduced more at expected cut nodes without a table move
        reduction_no_table_move: 0..=2500 = 668;
        /// plies by which a late move may be searched deeper than the first, where its reduction is negative
        late_move_extension: 0..=2 = 1;
        /// late move reductions: least depth
        reduction_depth: 1..=6 = 2;
        /// fail-highs among the children above which moves are reduced more
        reduction_cutoffs_limit: 0..=8 = 2;
        /// reduced more when the child fails high often
        reduction_cutoffs: 0..=2500 = 1067;
        /// history worth one ply of reduction, quiet moves
        reduction_history_quiet: 3000..=20000 = 10660;
        /// history worth one ply of reduction, captures
        reduction_history_noisy: 2000..=20000 = 8237;
        /// search deeper again when the reduced search beats the best by this much
        deeper_margin: 10..=120 = 35;
        /// the same: further margin per ply
        deeper_margin_ply: 0..=8 = 2;
        /// search a ply less again when the reduced search beats the best by less than this
        shallower_margin: 0..=40 = 7;

        /// history bonus per ply
        bonus_ply: 50..=400 = 243;
        /// history bonus constant
        bonus_base: -200..=200 = -60;
        /// history bonus at most
        bonus_limit: 500..=4000 = 1492;
        /// history malus per ply
        malus_ply: 50..=500 = 274;
        /// history malus constant
        malus_base: -200..=200 = -26;
        /// history malus at most
        malus_limit: 400..=4000 = 1140;
        /// history: no bonus for a cutoff by the first move up to this depth
        bonus_first_move_depth: 0..=8 = 2;
        /// evaluation difference: bonus per centipawn that a quiet move gained its mover
        eval_difference: 0..=32 = 4;
        /// evaluation difference: bonus at most
        eval_difference_limit: 50..=2000 = 544;

        /// weight of the pawn correction
        correction_pawn: 0..=160 = 59;
        /// weight of the minor-piece correction
        correction_minor: 0..=160 = 52;
        /// weight of the major-piece correction
        correction_major: 0..=160 = 49;
        /// weight of each side's non-pawn correction
        correction_non_pawn: 0..=160 = 53;
        /// weight of the continuation correction
        correction_continuation: 0..=160 = 58;
        /// weight of the continuation correction by the moves 1 and 4 plies back
        correction_far: 0..=160 = 46;

        /// quiescence futility: margin above the stand-pat score
        quiescence_futility: 50..=400 = 181;
        /// quiescence: moves after which the rest is skipped
        quiescence_moves: 1..=16 = 2;
        /// quiescence: plies after which moves are counted
        quiescence_moves_ply: 0..=16 = 4;
    }
}

/// Numbers that no tuning moves: divisors and weights that fix the units of the others. They are constants because a
/// division by a variable in the move ordering costs 1.7 % of all instructions.
pub mod fixed {
    /// Fifty-move scaling: the halfmove clock at which nothing would be left.
    pub const FIFTY_MOVE_SCALE: i32 = 220;
    /// Ordering: weight of the captured piece's value.
    pub const VICTIM_WEIGHT: i32 = 12;
    /// Ordering: penalty of a promotion to less than a queen.
    pub const UNDERPROMOTION: i32 = 4000;
    /// Ordering: divisor of the capture history.
    pub const CAPTURE_HISTORY_DIVISOR: i32 = 4;
    /// Ordering: score worth one centipawn of loss in an exchange.
    pub const NOISY_SCORE_DIVISOR: i32 = 48;
    /// Ordering: bonus of a quiet move that gives check.
    pub const CHECK_BONUS: i32 = 10000;
    /// Ordering: bonus of a knight, bishop, rook or queen that leaves an attack by a lesser piece, malus of one that goes there.
    pub const THREAT_BONUS: [i32; 6] = [0, 8000, 8000, 12000, 16000, 0];
    /// Late move pruning: divisor of the limit when not improving.
    pub const LATE_MOVE_NOT_IMPROVING: i32 = 2;
    /// Correction history: divisor of error times depth.
    pub const CORRECTION_DIVISOR: i32 = 8;
    /// Correction history: divisor of the limit of an entry that gives the largest step.
    pub const CORRECTION_STEP: i32 = 4;
    /// Continuation history: divisor of the bonus 4 and 6 plies back.
    pub const BONUS_FAR_DIVISOR: i32 = 2;
    /// History: divisor of the bonus of a move that raises alpha.
    pub const BONUS_RAISE_DIVISOR: i32 = 4;
    /// History: divisor of the bonus of the move before a fail-low.
    pub const BONUS_PRIOR_DIVISOR: i32 = 2;
    /// Halfmove clock from which table scores end no node.
    pub const TABLE_CUTOFF_CLOCK: i32 = 90;
    /// Plies a table-base result counts more than the depth it was found at.
    pub const TABLEBASE_DEPTH: i32 = 6;
    /// Reverse futility: the part of the evaluation's excess over beta that is returned, as a divisor.
    pub const REVERSE_FUTILITY_BLEND: i32 = 3;
    /// Exchange pruning of captures: history worth one centipawn of loss.
    pub const EXCHANGE_NOISY_HISTORY: i32 = 64;
    /// Singular extensions: multiples of the root depth beyond which nothing is extended.
    pub const SINGULAR_PLY_LIMIT: usize = 2;
    /// Null move: quarters of the reduced depth in which the verification passes no turn.
    pub const NULL_MOVE_VERIFICATION_PART: usize = 3;
}

/// What a captured piece is worth to margins.
pub const fn piece_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Knight => 320,
        PieceKind::Bishop => 335,
        PieceKind::Rook => 520,
        PieceKind::Queen => 980,
        PieceKind::King => 0,
    }
}

impl Parameters {
    /// The history bonus of a move that worked at this depth.
    #[inline]
    pub fn bonus(&self, depth: Depth) -> i32 {
        (self.bonus_ply * depth.plies() + self.bonus_base).min(self.bonus_limit)
    }

    /// The history malus of a move that was tried in vain at this depth.
    #[inline]
    pub fn malus(&self, depth: Depth) -> i32 {
        (self.malus_ply * depth.plies() + self.malus_base).min(self.malus_limit)
    }

    /// Moves searched before the rest of the quiet ones is skipped.
    #[inline]
    pub fn late_move_limit(&self, depth: Depth, improving: bool) -> usize {
        let limit = self.late_move_base + depth.plies() * depth.plies();
        (if improving { limit } else { limit / fixed::LATE_MOVE_NOT_IMPROVING }) as usize
    }
}

/// Reductions by depth and move number, in 1024ths of a ply: the product of two logarithms.
#[derive(Clone, Debug)]
pub struct Reductions {
    quiet: Box<[[i16; 64]; 64]>,
    noisy: Box<[[i16; 64]; 64]>,
}

impl Reductions {
    /// The table these parameters ask for.
    pub fn new(parameters: &Parameters) -> Self {
        let table = |base: i32, divisor: i32| {
            let mut table = Box::new([[0_i16; 64]; 64]);
            for (depth, row) in table.iter_mut().enumerate().skip(1) {
                for (number, cell) in row.iter_mut().enumerate().skip(1) {
                    let product = (depth as f64).ln() * (number as f64).ln();
                    let plies = f64::from(base) / 1024.0 + product * 1024.0 / f64::from(divisor);
                    *cell = (plies * 1024.0) as i16;
                }
            }
            table
        };
        Self {
            quiet: table(parameters.reduction_quiet_base, parameters.reduction_quiet_divisor),
            noisy: table(parameters.reduction_noisy_base, parameters.reduction_noisy_divisor),
        }
    }

    /// The reduction of move `number` at `depth`.
    #[inline]
    pub fn get(&self, is_quiet: bool, depth: Depth, number: usize) -> i32 {
        let table = if is_quiet { &self.quiet } else { &self.noisy };
        i32::from(table[depth.index().min(63)][number.min(63)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let table = Reductions::new(&Parameters::default());
        for depth in 1..70 {
            for number in 1..70 {
                let here = table.get(true, Depth::new(depth), number);
                assert!(table.get(true, Depth::new(depth + 1), number) >= here);
                assert!(table.get(true, Depth::new(depth), number + 1) >= here);
                assert!(table.get(false, Depth::new(depth), number) <= here);
            }
        }
    }
}
