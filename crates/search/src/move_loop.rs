//! The move loop of a node. It stands apart from the node so that a helper can run it at another worker's split point.

use crate::frame::Frame;
use crate::history::Histories;
use crate::move_picker::{MovePicker, OrderingContext};
use crate::phase::Phase;
use crate::team::{NodeSnapshot, Scheduler, SnapshotSource};
use crate::technique::Technique;
use crate::techniques::singular::SingularResult;
use crate::worker::Worker;
use arrayvec::ArrayVec;
use chess::{Move, Position};
use kernel::counters::Count;
use kernel::sched::{LoopUpdate, MoveLoop, RootMoveReport};
use kernel::{Depth, Line, Policy, Score, Stop, Window};
use kernel::{NodeKind, NonPv};

/// A move under consideration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub mv: Move,
    /// Its number in the order, from 1.
    pub number: usize,
    pub is_quiet: bool,
    pub is_killer: bool,
    /// Its history score.
    pub history: i32,
}

/// Moves that were searched without a cutoff: they get a malus when another one causes it.
#[derive(Default)]
pub(crate) struct Tried {
    pub quiets: ArrayVec<Move, 48>,
    pub captures: ArrayVec<Move, 24>,
}

impl Tried {
    fn add(&mut self, mv: Move, is_quiet: bool) {
        // When the list is full, the last of very many moves get no malus.
        let _ = if is_quiet { self.quiets.try_push(mv) } else { self.captures.try_push(mv) };
    }

    /// What other workers tried at the same node counts as well.
    fn include(&mut self, position: &Position, moves: impl Iterator<Item = Move>) {
        for mv in moves {
            if !self.quiets.contains(&mv) && !self.captures.contains(&mv) {
                self.add(mv, !position.is_noisy(mv));
            }
        }
    }
}

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    /// Searches the moves until one refutes the parent's choice. `Some` is a shortcut found on the
    /// way (multi-cut), which ends the node without further ado.
    pub(crate) fn move_loop<N: NodeKind, L: MoveLoop<Move, NodeSnapshot, S>>(
        &mut self,
        position: &Position,
        frame: &Frame,
        mut picker: MovePicker,
        walk: &mut L,
    ) -> Result<Option<Score>, Stop> {
        let ply = frame.ply;
        let context = self.context(ply);
        let killer = self.stack[ply].killer.filter(|_| self.uses(Technique::Killers));
        let mut tried = Tried::default();
        let mut good = None;
        loop {
            let arena = &mut self.arena;
            let ordering = OrderingContext {
                position,
                histories: &self.histories,
                context: &context,
                threats: frame.threats,
                policy: &self.policy,
                phase_probe: &self.phase_probe,
            };
            let root_moves = &self.root_moves;
            let next = || loop {
                let mv = picker.next(arena, &ordering)?;
                if Some(mv) != frame.excluded && (!N::ROOT || root_moves.is_open(mv)) {
                    return Some(mv);
                }
            };
            let source = SnapshotSource {
                position,
                frame,
                keys: &self.keys,
                stack: &self.stack,
                null_move_from: self.null_move_from,
                root_depth: self.root_depth,
                root_moves,
            };
            let offer = walk.offer(&mut self.scheduler, next, |snapshot| snapshot.fill::<N>(&source));
            let Some((mv, number)) = offer else { break };
            let is_quiet = !position.is_noisy(mv);
            let candidate = Candidate {
                mv,
                number,
                is_quiet,
                is_killer: Some(mv) == killer,
                history: if is_quiet {
                    ordering.quiet_score(mv)
                } else {
                    ordering.histories.capture(position, mv)
                },
            };
            let window = walk.window();

            // Step 12a: skip what is very unlikely to matter.
            if !N::ROOT
                && walk.best_score().is_some_and(|best| !best.is_loss())
                && self.is_prunable(position, frame, &candidate, window, &mut picker)
            {
                continue;
            }

            // Step 12b: extend a move that stands out.
            let mut extension = 0;
            if !N::ROOT && Some(mv) == frame.tt.mv && frame.excluded.is_none() {
                match self.singular::<N>(position, frame, mv, window)? {
                    SingularResult::Extend(plies) => extension = plies,
                    SingularResult::Cut(score) => return Ok(Some(score)),
                }
            }

            // Step 12c: search it.
            let nodes_before = self.node_counter.nodes();
            self.stack[ply + 1].extensions = self.stack[ply].extensions + i32::from(extension > 1);
            let depth = frame.depth - 1 + extension;
            let quiet_index = is_quiet.then(|| Histories::quiet_index(position, frame.threats, mv));
            // Everybody at this node reduces by the refutations that all of them have met.
            let cutoffs = walk.counted(self.stack[ply + 1].cutoffs);
            self.stack[ply + 1].cutoffs = cutoffs;
            let child = self.enter(position, mv, ply, quiet_index);
            self.stack[ply].capture_index = (!is_quiet).then(|| Histories::capture_index(position, mv));
            let score = self.search_move::<N, L>(&child, frame, &candidate, depth, walk)?;
            self.leave();
            walk.count(self.stack[ply + 1].cutoffs.saturating_sub(cutoffs));

            // Step 12d: what its score means.
            let lines = &self.lines;
            let update = walk.report(&mut self.scheduler, mv, score, || line_of(mv, &lines[ply + 1]));
            let is_best = matches!(update, LoopUpdate::Raised | LoopUpdate::Cutoff);
            if P::COUNTS && is_best {
                good = Some(number);
            }
            if N::PV && is_best {
                self.keep_line(ply, mv);
            }
            if N::ROOT {
                self.record_root(mv, number, score, is_best, nodes_before, walk);
            }
            if update == LoopUpdate::Cutoff && self.uses(Technique::AlphaBeta) {
                self.stack[ply].cutoffs += 1;
                if P::COUNTS {
                    self.node_counter.counters[Count::FailHighs] += 1;
                    self.node_counter.counters[Count::FirstMoveFailHighs] += u64::from(number == 1);
                }
                tried.include(
                    position,
                    walk.searched().unwrap_or_default().into_iter().filter(|&other| other != mv),
                );
                self.in_phase(Phase::HistoryUpdates, |worker| {
                    worker.update_on_cutoff(position, frame, mv, is_quiet, &tried);
                });
                break;
            }
            if update == LoopUpdate::Raised {
                self.in_phase(Phase::HistoryUpdates, |worker| {
                    worker.update_on_alpha_raise(position, frame, &candidate);
                });
            }
            tried.add(mv, is_quiet);
        }
        if P::COUNTS
            && let Some(number) = good
        {
            self.ply_statistics.good_move(ply, number);
        }
        Ok(None)
    }

    /// Principal variation search (PVS) of one move (Marsland and Campbell 1982): reduced first, then as deep and as wide
    /// as its score demands.
    #[inline]
    fn search_move<N: NodeKind, L: MoveLoop<Move, NodeSnapshot, S>>(
        &mut self,
        child: &Position,
        frame: &Frame,
        candidate: &Candidate,
        mut depth: Depth,
        walk: &mut L,
    ) -> Result<Score, Stop> {
        let ply = frame.ply + 1;
        let mut window = walk.window();
        if !self.uses(Technique::AlphaBeta) {
            return Ok(-self.node::<N::Child>(child, Window::FULL, depth, ply, false)?);
        }
        let is_first = candidate.number == 1;
        let mut score = None;
        if !is_first || !N::PV {
            let reduced = self.reduced_depth::<N>(frame, candidate, child, depth, is_first);
            let mut zero = None;
            if reduced < depth || (!is_first && self.uses(Technique::PrincipalVariation)) || !N::PV {
                let expects_cut = if reduced < depth { true } else { !frame.cut_node };
                zero = Some(-self.node::<NonPv>(child, -window.null(), reduced, ply, expects_cut)?);
            }
            // A reduced search that beats alpha is repeated at full depth.
            if let Some(found) = zero
                && reduced < depth
                && !window.fails_low(found)
            {
                let renewed = walk.renewed_window();
                let best = walk.best_score().unwrap_or(found);
                let numbers = self.parameters();
                let margin = numbers.deeper_margin + numbers.deeper_margin_ply * depth.plies();
                depth += i32::from(found > best + margin);
                depth -= i32::from(found < best + self.parameters().shallower_margin);
                if depth > reduced {
                    window = renewed;
                    let again = -self.node::<NonPv>(child, -window.null(), depth, ply, !frame.cut_node)?;
                    self.credit_reduced_move(frame.ply, again, window, depth);
                    zero = Some(again);
                }
            }
            score = zero;
        }
        // A score that beat an alpha which others have raised since must beat the new one too.
        while N::PV && score.is_some_and(|score| !window.fails_low(score)) && walk.renewed_window() != window
        {
            window = walk.window();
            score = Some(-self.node::<NonPv>(child, -window.null(), depth, ply, !frame.cut_node)?);
        }
        let needs_window = N::PV && score.is_none_or(|score| !window.fails_low(score));
        match score {
            Some(score) if !needs_window => Ok(score),
            _ => Ok(-self.node::<N::Child>(child, -window, depth, ply, false)?),
        }
    }

    #[inline]
    fn keep_line(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        here[ply].prepend(mv, &below[0]);
    }

    fn record_root<L: MoveLoop<Move, NodeSnapshot, S>>(
        &mut self,
        mv: Move,
        number: usize,
        score: Score,
        is_best: bool,
        nodes_before: u64,
        walk: &mut L,
    ) {
        let nodes = self.node_counter.nodes() - nodes_before;
        if number == 1 && !is_best {
            // A first move that failed low still gives the score its bound.
            self.lines[1].clear();
        }
        let is_told = is_best || number == 1;
        if walk.is_helper() {
            let found = is_told.then_some((score, self.selective_depth, self.lines[1]));
            walk.report_root_move(RootMoveReport { mv, nodes, found });
        } else {
            let found = is_told.then_some((score, self.selective_depth, &self.lines[1]));
            self.root_moves.record(mv, nodes, found);
            self.take_root_reports(walk);
        }
    }

    /// Records what helpers found at the root.
    pub(crate) fn take_root_reports<L: MoveLoop<Move, NodeSnapshot, S>>(&mut self, walk: &mut L) {
        for note in walk.root_reports() {
            let found =
                note.found.as_ref().map(|(score, selective_depth, line)| (*score, *selective_depth, line));
            self.root_moves.record(note.mv, note.nodes, found);
        }
    }
}

fn line_of(mv: Move, rest: &Line<Move>) -> Line<Move> {
    let mut line = Line::default();
    line.prepend(mv, rest);
    line
}
