//! Cutoffs before the move loop: mate distance, repetitions, transposition table and table bases.

use crate::frame::TtProbe;
use crate::parameters::fixed;
use crate::tablebases::TablebaseResult;
use crate::team::Scheduler;
use crate::technique::Technique;
use crate::worker::Worker;
use chess::Position;
use kernel::counters::Count;
use kernel::{Bound, Depth, Entry, Policy, Score, Stop, Window};

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    /// Mate distance pruning (MDP, chess programming wiki): being mated here is the worst, mating next ply the best that can
    /// happen, so the window shrinks to that.
    #[inline]
    pub(crate) fn mate_distance_pruning(&self, window: &mut Window, ply: usize) -> Option<Score> {
        if !self.uses(Technique::MateDistance) {
            return None;
        }
        window.raise(Score::mated_in(ply));
        window.lower(Score::mate_in(ply + 1));
        window.is_empty().then_some(window.alpha())
    }

    /// Upcoming repetition: a move that repeats a position is at hand, so the mover has at least a draw
    /// (van Kervinck 2013, as in Stockfish).
    #[inline]
    pub(crate) fn upcoming_repetition(
        &self,
        position: &Position,
        window: &mut Window,
        ply: usize,
    ) -> Option<Score> {
        let draw = self.draw(position);
        if window.alpha() >= draw
            || !self.uses(Technique::UpcomingRepetition)
            || !position.can_repeat(&self.keys, ply)
        {
            return None;
        }
        window.raise(draw);
        window.is_empty().then_some(draw)
    }

    /// Transposition table (TT) cutoff: a stored score that is deep enough and on the right side of the window ends the
    /// node (Greenblatt 1967).
    #[inline]
    pub(crate) fn table_cutoff(
        &mut self,
        position: &Position,
        tt: &TtProbe,
        window: Window,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        let score = tt.score?;
        if tt.depth < depth
            || !window.is_answered_by(score, tt.bound)
            || i32::from(position.halfmove_clock()) >= fixed::TABLE_CUTOFF_CLOCK
            || !self.uses(Technique::TableCutoffs)
        {
            return None;
        }
        if P::COUNTS {
            self.node_counter.counters[Count::TableCutoffs] += 1;
        }
        if let Some(mv) = tt.mv
            && window.fails_high(score)
            && !position.is_noisy(mv)
        {
            self.update_on_table_cutoff(position, mv, depth, ply);
        }
        Some(score)
    }

    /// Table base cutoff (Syzygy, de Man 2013): a table that knows the result ends the node. Asked only right after a capture or pawn move:
    /// then the result holds whatever the fifty-move count.
    #[inline]
    pub(crate) fn tablebase_cutoff(
        &mut self,
        position: &Position,
        window: Window,
        depth: Depth,
        ply: usize,
        key: u64,
    ) -> Option<Score> {
        let tables = self.tablebases.as_ref()?;
        let settings = self.tablebase_settings;
        let pieces = position.board().occupied().count();
        let most = tables.max_pieces().min(settings.probe_limit);
        if pieces > most
            || (pieces == most && depth < settings.probe_depth)
            || position.halfmove_clock() != 0
            || position.board().castling_rooks().any()
            || self.root_in_tablebases
        {
            return None;
        }
        let result = tables.probe_wdl(position)?.with_rule(settings.fifty_move_rule);
        self.node_counter.counters[Count::TableBaseHits] += 1;
        let (score, bound) = match result {
            TablebaseResult::Win => (Score::table_win(ply), Bound::Lower),
            TablebaseResult::Loss => (Score::table_loss(ply), Bound::Upper),
            _ => (Score::ZERO, Bound::Exact),
        };
        if bound != Bound::Exact && !window.is_answered_by(score, bound) {
            return None;
        }
        if self.uses(Technique::Table) {
            // As good as a search to any depth, within reason.
            let depth = (depth + fixed::TABLEBASE_DEPTH).min(Depth::MAX);
            let entry = Entry { score: score.to_table(ply), depth, bound, ..Entry::default() };
            self.store_in_tt(key, entry);
        }
        Some(score)
    }

    /// Runs a closure with a ply's excluded move set.
    pub(crate) fn with_excluded_move<T>(
        &mut self,
        ply: usize,
        mv: chess::Move,
        search: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        self.stack[ply].excluded = Some(mv);
        let result = search(self);
        self.stack[ply].excluded = None;
        result
    }
}
