//! A node of the search above the horizon.

use kernel::counters::Count;
use kernel::sched::{LoopUpdate, MoveLoop, NodeInfo, RootMoveReport};
use kernel::{Bound, Depth, Entry, Line, MAX_PLY, NodeKind, NonPv, Policy, Score, Searcher, Stop, Window};
use laser::{MAX_MOVES, Move, Position};

use super::history::PieceTo;
use super::node_state::NodeState;
use super::parallel::{NodeSnapshot, Scheduler, SnapshotSource};
use super::picker::{Picked, Picker};
use super::technique::Technique;
use super::victim::Victim;
use super::worker::Worker;
use crate::eval::Beams;
use crate::eval::beam_path::BeamPath;

/// Moves whose failure is remembered when another refutes.
const TRIED: usize = 32;

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    pub(crate) fn node<N: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        mut depth: Depth,
        ply: usize,
    ) -> Result<Score, Stop> {
        let side = position.side_to_move();
        let beams = Beams::of(position);
        let threatened = beams.path(!side).victim.is_some_and(|hit| position.king(side) == Some(hit));
        // Step 1: check extension, while the enemy's beam stands on our king.
        if threatened && self.uses(Technique::CheckExtension) && !N::ROOT {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence::<N>(position, &beams, window, ply);
        }
        self.node_counter.tick()?;
        self.scheduler.check()?;
        self.lines[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);

        if !N::ROOT {
            // Step 2: draws by rule.
            if self.is_draw(position) {
                return Ok(self.draw_score(side));
            }
            if let Some(score) = self.solved(position, ply) {
                return Ok(score);
            }
            if ply >= MAX_PLY - 1 {
                return Ok(self.evaluate(position));
            }
            // Step 3: mate distance pruning (MDP): nothing here beats a mate already found nearer the root.
            window.raise(Score::mated_in(ply));
            window.lower(Score::mate_in(ply + 1));
            if window.is_empty() {
                return Ok(window.alpha());
            }
        }

        // Step 4: transposition table (TT) probe.
        let entry = if self.uses(Technique::Table) { self.probe(position.key()) } else { None };
        if let Some(entry) = &entry {
            let score = Score::from_table(entry.score, ply);
            if !N::PV && entry.depth >= depth && window.is_answered_by(score, entry.bound) {
                self.node_counter.counters[Count::TableCutoffs] += 1;
                return Ok(score);
            }
        }
        let table_move = entry
            .and_then(|entry| entry.best)
            .and_then(|bits| Move::from_bits(bits.get()))
            .filter(|&mv| position.is_playable(mv));

        // Step 5: the static value, and whether it grows.
        let known = entry.and_then(|entry| entry.eval);
        self.inherit_coverage(ply);
        let (eval, exact) = match known {
            _ if threatened => (None, false),
            Some(eval) => (Some(eval), true),
            None => {
                let parameters = &self.shared.parameters;
                let near =
                    !N::PV && depth <= parameters.reverse_depth && self.uses(Technique::LazyEvaluation);
                let above = parameters.reverse_futility(depth, false);
                let below = parameters.futility(depth).max(parameters.razor(depth));
                let lazy = near.then_some((window, above, below));
                let (eval, exact) = self.static_value(position, &beams, ply, lazy);
                (Some(eval), exact)
            }
        };
        self.frames[ply].eval = eval;
        let improving = match (eval, ply.checked_sub(2).and_then(|before| self.frames[before].eval)) {
            (Some(now), Some(before)) => now > before,
            _ => false,
        };

        if let (false, Some(eval)) = (N::PV, eval) {
            // Step 6: reverse futility pruning (RFP), far above beta.
            if let Some(score) = self.reverse_futility(eval, window, depth, improving) {
                return Ok(score);
            }
            // Step 7: razoring, far below alpha: only zaps could help.
            if let Some(score) = self.razor(position, &beams, eval, window, depth, ply)? {
                return Ok(score);
            }
        }

        // Step 8: internal iterative reduction (IIR): without a table move, a shallower search finds one.
        if table_move.is_none() && depth >= 4 && !N::ROOT && self.uses(Technique::InternalReduction) {
            depth -= 1;
        }

        // Step 9: futility pruning (FP): no quiet move lifts a value so far below alpha.
        let futile = !N::PV && !threatened && self.is_futile(eval, window, depth);

        // Step 10: the moves.
        let state = NodeState { position: *position, depth, ply, improving, threatened, futile, table_move };
        self.enter(position.key());
        let path = self.path_length();
        // Without reliable signs of a cutoff every null window is asked the same way.
        let info = NodeInfo { window, depth, key: position.key(), expects_cut: !N::PV };
        let mut walk = self.scheduler.open(info);
        if let Err(stop) = self.try_moves::<N, _>(&state, beams.path(side), &mut walk) {
            let settled = walk.settle(&mut self.scheduler, stop);
            if N::ROOT {
                self.take_root_reports(&mut walk);
            }
            settled?;
            // Another worker decided this node while we were below it.
            self.return_to(path);
        }
        let joined = walk.join(self);
        if N::ROOT {
            self.take_root_reports(&mut walk);
        }
        let found = joined?;
        if let Some(line) = &found.line {
            self.lines[ply].assign(line);
        }
        self.leave();

        // Step 11: remember. Without a single move tried, either all were futile or every one is suicide.
        let score = found.score.unwrap_or_else(|| match eval {
            Some(eval) if futile => eval + self.shared.parameters.futility(depth),
            _ => Score::mated_in(ply + 1),
        });
        if self.uses(Technique::Table) {
            let bound = if found.best.is_none() { Bound::Upper } else { window.bound(score) };
            self.enter_in_table(
                position.key(),
                Entry {
                    best: found.best.map(Move::nonzero_bits),
                    score: score.to_table(ply),
                    eval: eval.filter(|_| exact),
                    depth,
                    bound,
                    pv: N::PV,
                },
            );
        }
        Ok(score)
    }

    /// Looks in the table; for study, under the set's lock.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let _held = (!self.uses(Technique::LockFreeTable)).then(|| self.shared.table.lock(key));
        self.shared.table.probe(key)
    }

    /// Writes to the table; for study, under the set's lock.
    #[inline]
    pub(crate) fn enter_in_table(&self, key: u64, entry: Entry) {
        let _held = (!self.uses(Technique::LockFreeTable)).then(|| self.shared.table.lock(key));
        self.shared.table.store(key, entry);
    }

    /// The move loop.
    pub(crate) fn try_moves<N: NodeKind, L: MoveLoop<Move, NodeSnapshot, S>>(
        &mut self,
        state: &NodeState,
        beam: &BeamPath,
        walk: &mut L,
    ) -> Result<(), Stop> {
        let NodeState { position, depth, ply, .. } = *state;
        let side = position.side_to_move();
        let killers = if self.uses(Technique::Killers) { self.histories.killers(ply) } else { [None; 2] };
        let previous = self.previous(ply);
        let mut picker = Picker::new(&position, beam, state.table_move, killers, previous);
        if state.futile {
            picker.skip_quiets();
        }
        let mut root_index = 0;
        let mut tried = arrayvec::ArrayVec::<Move, TRIED>::new();
        let mut quiets = 0_usize;
        let mut made = 0_u64;
        self.histories.clear_killers(ply + 2);
        // Moves that a scheduler may come back to, with what the picker knew of them.
        let mut drawn = arrayvec::ArrayVec::<Picked, MAX_MOVES>::new();

        loop {
            let (root_moves, histories) = (&self.root_moves, &self.histories);
            let mut picked = None;
            let next = || {
                picked = if N::ROOT {
                    let mv = root_moves.open_move(root_index)?;
                    root_index += 1;
                    Some(Picked { mv, victim: None, history: 0 })
                } else {
                    picker.next(&position, histories)
                };
                if S::REORDERS
                    && let Some(picked) = picked
                {
                    let _ = drawn.try_push(picked);
                }
                picked.map(|picked| picked.mv)
            };
            let source = SnapshotSource { state, keys: &self.keys, frames: &self.frames, root_moves };
            let offer = walk.offer(&mut self.scheduler, next, |snapshot| snapshot.fill::<N>(&source));
            let Some((mv, number)) = offer else {
                if state.futile {
                    // All have been looked at for what they zap; those made are counted already.
                    self.tried += position.move_count().saturating_sub(made);
                }
                return Ok(());
            };
            if S::REORDERS && picked.is_none_or(|picked| picked.mv != mv) {
                picked = drawn.iter().find(|picked| picked.mv == mv).copied();
            }
            let history = picked.map_or(0, |picked| picked.history);
            let victim = picked.and_then(|picked| picked.victim);
            let quiet = victim == Some(Victim::Nothing);

            // Step 10a: quiet moves that cannot matter.
            if quiet {
                quiets += 1;
                let safe = walk.best_score().is_some_and(|score| !score.is_loss());
                if !N::ROOT && safe && self.is_late::<N>(state, quiets) {
                    picker.skip_quiets();
                    continue;
                }
            }

            // Step 10b: make it.
            made += 1;
            self.tried += 1;
            let before = self.node_counter.nodes();
            let mut next_position = position;
            let zapped = next_position.play(mv);
            self.frames[ply].piece_to = Some(PieceTo::of(&position, mv));
            let score = if let Some(winner) =
                zapped.filter(|zapped| zapped.piece.is_king()).and(next_position.winner())
            {
                self.node_counter.tick()?;
                self.lines[ply + 1].clear();
                if winner == side { Score::mate_in(ply + 1) } else { Score::mated_in(ply + 1) }
            } else {
                self.shared.table.prefetch(next_position.key());
                let reduction = if quiet { self.reduction::<N>(state, number, history) } else { 0 };
                self.search_move::<N>(&next_position, walk.window(), depth, ply, number, reduction)?
            };

            // Step 10c: what it means.
            let lines = &self.lines;
            let update = walk.report(&mut self.scheduler, mv, score, || line_of(mv, &lines[ply + 1]));
            let is_best = matches!(update, LoopUpdate::Raised | LoopUpdate::Cutoff);
            if is_best && N::PV {
                self.extend_line(ply, mv);
            }
            if N::ROOT {
                let rest = self.lines[1];
                let nodes = self.node_counter.nodes() - before;
                if walk.is_helper() {
                    let found = is_best.then_some((score, self.selective_depth, rest));
                    walk.report_root_move(RootMoveReport { mv, nodes, found });
                } else {
                    let found = is_best.then_some((score, self.selective_depth, &rest));
                    self.root_moves_mut().record(mv, nodes, found);
                    self.take_root_reports(walk);
                }
            }
            if update == LoopUpdate::Cutoff {
                if number == 1 {
                    self.node_counter.counters[Count::FirstMoveFailHighs] += 1;
                }
                self.node_counter.counters[Count::FailHighs] += 1;
                if zapped.is_none() {
                    self.update_histories(state, mv, &tried);
                }
                return Ok(());
            }
            if zapped.is_none() {
                // A full list only means that the latest failures are not remembered.
                let _ = tried.try_push(mv);
            }
        }
    }

    /// Enters what helpers found at the root.
    fn take_root_reports<L: MoveLoop<Move, NodeSnapshot, S>>(&mut self, walk: &mut L) {
        for note in walk.root_reports() {
            let found = note.found.as_ref().map(|(score, deepest, line)| (*score, *deepest, line));
            self.root_moves_mut().record(note.mv, note.nodes, found);
        }
    }

    /// Principal variation search (PVS): the first move with the whole window, the others with a null window, reduced if
    /// late (LMR), and again deeper or wider where the score demands it.
    #[inline]
    fn search_move<N: NodeKind>(
        &mut self,
        position: &Position,
        window: Window,
        depth: Depth,
        ply: usize,
        number: usize,
        reduction: i32,
    ) -> Result<Score, Stop> {
        let full = depth - 1;
        if number == 1 {
            return Ok(-self.node::<N::Child>(position, -window, full, ply + 1)?);
        }
        if !self.uses(Technique::PrincipalVariation) {
            return Ok(-self.node::<NonPv>(position, -window, full - reduction, ply + 1)?);
        }
        let null_window = window.null();
        let mut score = -self.node::<NonPv>(position, -null_window, full - reduction, ply + 1)?;
        if reduction > 0 && null_window.fails_high(score) {
            score = -self.node::<NonPv>(position, -null_window, full, ply + 1)?;
        }
        if N::PV && window.contains(score) {
            score = -self.node::<N::Child>(position, -window, full, ply + 1)?;
        }
        Ok(score)
    }

    /// Reverse futility pruning (RFP).
    fn reverse_futility(&self, eval: Score, window: Window, depth: Depth, improving: bool) -> Option<Score> {
        let parameters = &self.shared.parameters;
        let holds = self.uses(Technique::ReverseFutility)
            && depth <= parameters.reverse_depth
            && window.beta().is_heuristic()
            && window.fails_high(eval - parameters.reverse_futility(depth, improving));
        holds.then_some(eval)
    }

    /// Razoring.
    fn razor(
        &mut self,
        position: &Position,
        beams: &Beams,
        eval: Score,
        window: Window,
        depth: Depth,
        ply: usize,
    ) -> Result<Option<Score>, Stop> {
        if !self.uses(Technique::Razoring)
            || depth > 3
            || !window.fails_low(eval + self.shared.parameters.razor(depth))
        {
            return Ok(None);
        }
        let score = self.quiescence::<NonPv>(position, beams, window, ply)?;
        Ok(window.fails_low(score).then_some(score))
    }

    /// Futility pruning (FP): no quiet move is expected to reach alpha.
    fn is_futile(&self, eval: Option<Score>, window: Window, depth: Depth) -> bool {
        let parameters = &self.shared.parameters;
        self.uses(Technique::Futility)
            && depth <= parameters.futility_depth
            && window.alpha().is_heuristic()
            && eval.is_some_and(|eval| window.fails_low(eval + parameters.futility(depth)))
    }

    /// Late move pruning (LMP): enough quiet moves have been tried.
    fn is_late<N: NodeKind>(&self, state: &NodeState, quiets: usize) -> bool {
        let parameters = &self.shared.parameters;
        self.uses(Technique::LateMovePruning)
            && !N::PV
            && !state.threatened
            && state.depth <= parameters.late_depth
            && quiets > parameters.late_moves(state.depth, state.improving)
    }

    /// Late move reductions (LMR): plies by which a late quiet move is searched less deeply.
    fn reduction<N: NodeKind>(&self, state: &NodeState, number: usize, history: i32) -> i32 {
        let depth = state.depth;
        if !self.uses(Technique::Reductions) || depth < 3 || number < 4 || state.threatened {
            return 0;
        }
        let table = &self.shared.reductions;
        let mut plies = i32::from(table[depth.index().min(63)][number.min(63)]);
        plies -= i32::from(N::PV);
        plies += i32::from(!state.improving);
        plies -= (history / self.shared.parameters.reduction_history).clamp(-2, 2);
        plies.clamp(0, depth.plies() - 2)
    }

    /// History update after a quiet move caused a cutoff: a bonus for it, a malus for those tried before it.
    fn update_histories(&mut self, state: &NodeState, best: Move, tried: &[Move]) {
        let NodeState { position, depth, ply, .. } = state;
        let side = position.side_to_move();
        if self.uses(Technique::Killers) {
            self.histories.add_killer(*ply, best);
        }
        if !self.uses(Technique::Histories) {
            return;
        }
        let bonus = (16 * depth.plies() * depth.plies() + 32 * depth.plies()).min(1600);
        let previous = self.previous(*ply);
        self.histories.update(side, best, PieceTo::of(position, best), previous, bonus);
        for &mv in tried {
            self.histories.update(side, mv, PieceTo::of(position, mv), previous, -bonus);
        }
    }
}

fn line_of(mv: Move, rest: &Line<Move>) -> Line<Move> {
    let mut line = Line::default();
    line.prepend(mv, rest);
    line
}
