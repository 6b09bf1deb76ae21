//! The node function: numbered steps, each a small method of its own elsewhere.

use crate::frame::{Frame, TtProbe};
use crate::move_picker::{MovePicker, Purpose};
use crate::phase::Phase;
use crate::table_key::table_key;
use crate::team::Scheduler;
use crate::technique::Technique;
use crate::worker::Worker;
use chess::{Bitboard, Move, Position};
use kernel::NodeKind;
use kernel::counters::Count;
use kernel::sched::{MoveLoop, NodeInfo};
use kernel::{Bound, Depth, Entry, MAX_PLY, Policy, Score, Stop, Window};

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    /// The value of a position, searched to `depth`.
    pub(crate) fn node<N: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Result<Score, Stop> {
        // Step 1: the horizon.
        if depth <= 0 {
            return self.in_phase(Phase::Quiescence, |worker| worker.quiescence::<N>(position, window, ply));
        }
        self.node_counter.tick()?;
        self.scheduler.check()?;
        if N::PV {
            self.lines[ply].clear();
            self.selective_depth = self.selective_depth.max(ply);
        }

        if !N::ROOT {
            // Step 2: draws, and the end of the stack.
            if let Some(score) = self.draw_or_leaf_score(position, ply) {
                return Ok(score);
            }
            // Step 3: mate distance pruning.
            if let Some(score) = self.mate_distance_pruning(&mut window, ply) {
                return Ok(score);
            }
            // Step 4: a repetition within reach is worth at least a draw.
            if let Some(score) = self.upcoming_repetition(position, &mut window, ply) {
                return Ok(score);
            }
        }

        // Step 5: the transposition table.
        let excluded = self.stack[ply].excluded;
        let key = table_key(position);
        let tt = self.probe_tt::<N>(position, key, ply, cut_node);
        let table_pv = N::PV || tt.pv;
        // Without zero windows every node has the whole one, and the table answers there or nowhere.
        let is_answerable = !N::PV || !N::ROOT && !self.uses(Technique::PrincipalVariation);
        if is_answerable
            && excluded.is_none()
            && let Some(score) = self.table_cutoff(position, &tt, window, depth, ply)
        {
            return Ok(score);
        }

        if !N::ROOT
            && excluded.is_none()
            && let Some(score) = self.tablebase_cutoff(position, window, depth, ply, key)
        {
            return Ok(score);
        }

        // Step 6: the static evaluation, and whether it rises.
        let in_check = position.in_check();
        let static_eval = (!in_check).then(|| self.evaluate(position, ply, tt.eval));
        let corrected = static_eval.map(|static_eval| static_eval.corrected);
        self.stack[ply].eval = corrected;
        self.update_by_eval_difference(corrected, ply);
        if let Some(static_eval) = static_eval
            && tt.eval.is_none()
            && excluded.is_none()
        {
            self.store_static_eval(key, static_eval.raw, table_pv);
        }
        let mut frame = Frame {
            depth,
            ply,
            cut_node,
            in_check,
            improving: self.is_improving(corrected, ply),
            eval: corrected.map(|eval| tt.refine(eval)),
            static_eval,
            tt,
            table_pv,
            threats: Bitboard::EMPTY,
            excluded,
        };
        self.prepare_children(ply);

        // Steps 7 to 10: pruning before the move loop (RFP, razoring, NMP, ProbCut).
        if !N::PV
            && excluded.is_none()
            && let Some(eval) = frame.eval
        {
            if let Some(score) = self.reverse_futility(&frame, eval, window) {
                return Ok(score); // step 7
            }
            if let Some(score) = self.razoring::<N>(position, &frame, eval, window)? {
                return Ok(score); // step 8
            }
            if let Some(score) = self.null_move(position, &frame, eval, window)? {
                return Ok(score); // step 9
            }
        }
        // Only the moves need the threats: many nodes end before.
        frame.threats = position.board().attacked_by(!position.turn(), position.board().occupied());
        if !N::PV
            && excluded.is_none()
            && !in_check
            && let Some(score) = self.prob_cut(position, &frame, window, key)?
        {
            return Ok(score); // step 10
        }

        // Step 11: internal iterative reduction (IIR).
        frame.depth = self.internal_iterative_reduction::<N>(&frame);

        // Step 12: the move loop.
        let killer = self.stack[ply].killer.filter(|_| self.uses(Technique::Killers));
        let picker = MovePicker::new(Purpose::Node, tt.mv, killer, in_check, &self.arena);
        let mark = picker.start();
        let path = self.keys.len();
        let info = NodeInfo { window, depth: frame.depth, key, expects_cut: cut_node };
        let mut walk = self.scheduler.open(info);
        let mut is_decided_elsewhere = false;
        match self.move_loop::<N, _>(position, &frame, picker, &mut walk) {
            Ok(None) => {}
            Ok(Some(score)) => {
                // Helpers that joined already leave, as from any abandoned search.
                let _ = walk.settle(&mut self.scheduler, Stop::Clock);
                self.arena.release(mark);
                return Ok(score);
            }
            Err(stop) => {
                let settled = walk.settle(&mut self.scheduler, stop);
                if N::ROOT {
                    self.take_root_reports(&mut walk);
                }
                settled?;
                // Another worker decided this node while we were below it.
                self.keys.truncate(path);
                self.stack[ply].cutoffs += 1;
                is_decided_elsewhere = true;
            }
        }
        self.arena.release(mark);
        let joined = walk.join(self);
        if N::ROOT {
            self.take_root_reports(&mut walk);
        }
        let found = joined?;
        if is_decided_elsewhere && let Some(mv) = found.best.filter(|&mv| !position.is_noisy(mv)) {
            self.stack[ply].killer = Some(mv);
        }
        if N::PV
            && let Some(line) = &found.line
        {
            self.lines[ply].assign(line);
        }

        // Step 13: no legal move.
        let Some(mut best_score) = found.score else {
            return Ok(self.score_without_moves(position, &frame, window));
        };
        best_score = self.fail_high_blend(best_score, window, frame.depth);

        // Step 14: update histories and the table.
        if found.best.is_none() {
            self.in_phase(Phase::HistoryUpdates, |worker| worker.update_on_fail_low(&frame));
        }
        if excluded.is_none() {
            let bound = window.bound(best_score);
            self.in_phase(Phase::HistoryUpdates, |worker| {
                worker.update_corrections(position, &frame, &found, best_score, bound);
            });
            if !N::ROOT || self.root_moves.first() == 0 {
                self.store(key, &frame, found.best, best_score, bound);
            }
        }
        Ok(best_score)
    }

    /// A draw by repetition, fifty moves or material; or the deepest ply.
    #[inline]
    pub(crate) fn draw_or_leaf_score(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if position.is_fifty_move_draw()
            || position.is_insufficient_material()
            || self.is_repeated(position, ply)
        {
            return Some(self.draw(position));
        }
        if ply >= MAX_PLY - 1 {
            let value = if position.in_check() { 0 } else { self.evaluator.evaluate(position, ply) };
            return Some(Score::centipawns(value));
        }
        None
    }

    /// A position met before inside the search counts as drawn at once; one from the game only when
    /// it would stand for the third time.
    #[inline]
    fn is_repeated(&self, position: &Position, ply: usize) -> bool {
        match position.repeats(&self.keys) {
            None => false,
            Some(back) => back < ply || position.repetitions(&self.keys) >= 2,
        }
    }

    /// Reads the table; a move from it is checked for legality.
    #[inline]
    fn probe_tt<N: NodeKind>(
        &mut self,
        position: &Position,
        key: u64,
        ply: usize,
        cut_node: bool,
    ) -> TtProbe {
        if !self.uses(Technique::Table) {
            return TtProbe::default();
        }
        let Some(entry) = self.probe(key) else { return TtProbe::default() };
        if P::COUNTS {
            let count = match (N::PV, cut_node) {
                (true, _) => Count::TableHitsPv,
                (false, true) => Count::TableHitsCut,
                (false, false) => Count::TableHitsAll,
            };
            self.node_counter.counters[count] += 1;
            self.ply_statistics.hit(ply, entry.bound);
        }
        TtProbe::new(&entry, position, ply, self.uses(Technique::TableMove))
    }

    /// Stores a new static evaluation for the next visit.
    #[inline]
    fn store_static_eval(&self, key: u64, raw: Score, pv: bool) {
        if self.uses(Technique::Table) {
            self.store_in_tt(key, Entry { eval: Some(raw), pv, ..Entry::default() });
        }
    }

    pub(crate) fn store(&self, key: u64, frame: &Frame, best: Option<Move>, score: Score, bound: Bound) {
        if !self.uses(Technique::Table) {
            return;
        }
        let entry = Entry {
            best: best.and_then(|mv| std::num::NonZeroU16::new(mv.bits())),
            score: score.to_table(frame.ply),
            eval: frame.static_eval.map(|static_eval| static_eval.raw),
            depth: frame.depth,
            bound,
            pv: frame.table_pv,
        };
        if let Some(outbox) = &self.outbox {
            outbox.offer(key, &entry);
        }
        self.store_in_tt(key, entry);
    }

    /// Looks in the table; for study, under the set's lock.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let before = self.phase_probe.enter::<P>(Phase::Table);
        let _held = (!self.uses(Technique::LockFreeTable)).then(|| self.shared.table.lock(key));
        let found = self.shared.table.probe(key);
        self.phase_probe.leave::<P>(before);
        found
    }

    /// Writes to the table; for study, under the set's lock.
    #[inline]
    pub(crate) fn store_in_tt(&self, key: u64, entry: Entry) {
        let before = self.phase_probe.enter::<P>(Phase::Table);
        let _held = (!self.uses(Technique::LockFreeTable)).then(|| self.shared.table.lock(key));
        self.shared.table.store(key, entry);
        self.phase_probe.leave::<P>(before);
    }

    /// The improving heuristic: a better evaluation than 2 plies ago, or than 4 when that was in check (Stockfish).
    #[inline]
    fn is_improving(&self, eval: Option<Score>, ply: usize) -> bool {
        let Some(eval) = eval else { return false };
        let earlier = self.stack.back(ply, 2).eval.or(self.stack.back(ply, 4).eval);
        self.uses(Technique::Improving) && earlier.is_some_and(|earlier| eval > earlier)
    }

    /// Resets what the children's children start with.
    #[inline]
    fn prepare_children(&mut self, ply: usize) {
        self.stack[ply + 1].killer = None;
        self.stack[ply + 2].cutoffs = 0;
        self.stack[ply + 1].excluded = None;
    }

    /// Fail-high score blending: a score far above beta moves towards it, the more the shallower the search behind it
    /// (Stockfish).
    #[inline]
    fn fail_high_blend(&self, score: Score, window: Window, depth: Depth) -> Score {
        let beta = window.beta();
        let applies = score > beta
            && score.is_heuristic()
            && beta.is_heuristic()
            && self.uses(Technique::FailHighBlend);
        if !applies {
            return score;
        }
        let weight = depth.plies();
        Score::centipawns((score.value() * weight + beta.value()) / (weight + 1))
    }

    /// Mate or stalemate; in a singular search, only that no other move exists.
    fn score_without_moves(&self, position: &Position, frame: &Frame, window: Window) -> Score {
        if frame.excluded.is_some() {
            window.alpha()
        } else if frame.in_check {
            Score::mated_in(frame.ply)
        } else {
            self.draw(position)
        }
    }
}
