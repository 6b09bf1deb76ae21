//! The root of a search: how a worker begins, and what the driver asks of it.

use crate::history::mover;
use crate::parameters::piece_value;
use crate::phase::Phase;
use crate::ply_statistics::PlyStatistics;
use crate::tablebases::{RootProbe, TablebaseResult};
use crate::team::Scheduler;
use crate::technique::Technique;
use crate::worker::Worker;
use chess::{Game, Move};
use kernel::counters::Count;
use kernel::{
    Depth, Kind, Line, MAX_PLY, NodeCounter, Policy, Root, RootMoves, Score, SearchSession, Searcher, Stop,
    Window,
};
use std::sync::Arc;

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    /// Sets the worker to a game's present position; `allowed` empty means every legal move.
    pub fn begin(&mut self, game: &Game, allowed: &[Move], session: Arc<SearchSession>, number: usize) {
        self.root = game.position().clone();
        self.keys.clear();
        self.keys.extend_from_slice(game.earlier_keys());
        self.keys.reserve(MAX_PLY + 2);
        self.game_keys = self.keys.len();
        let legal = self.root.legal_moves();
        let probe = self.probe_root();
        self.root_in_tablebases = probe.is_some();
        let is_dead = self.root.is_insufficient_material();
        let result = probe.as_ref().filter(|_| allowed.is_empty()).map(|probe| match probe.result {
            TablebaseResult::Win => Score::table_win(0),
            TablebaseResult::Loss => Score::table_loss(0),
            _ => Score::ZERO,
        });
        self.known_result = if is_dead { Some(Score::ZERO) } else { result };
        let probes = probe.as_ref().map_or(0, |probe| probe.probes);
        let kept = probe.map(|probe| probe.moves).unwrap_or_default();
        let is_candidate = |mv: &Move| {
            (allowed.is_empty() || allowed.contains(mv))
                && (!allowed.is_empty() || kept.is_empty() || kept.contains(mv))
        };
        self.root_moves = RootMoves::new(legal.iter().copied().filter(is_candidate));
        self.node_counter = NodeCounter::new(session, number);
        if number == 0 {
            self.node_counter.counters[Count::TableBaseHits] += probes as u64;
        }
        self.scheduler.reset();
        self.stack.clear();
        self.arena.release(0);
        self.null_move_from = 0;
    }

    /// What the table bases know about the root, if few enough pieces are left.
    fn probe_root(&self) -> Option<RootProbe> {
        let settings = &self.tablebase_settings;
        let tables = self.tablebases.as_ref()?;
        let pieces = self.root.board().occupied().count();
        if pieces > tables.max_pieces().min(settings.probe_limit) || self.root.board().castling_rooks().any()
        {
            return None;
        }
        let repeated = self.root.repetitions(&self.keys) > 0;
        tables.best_moves(&self.root, repeated, settings.fifty_move_rule)
    }
}

impl<P: Policy<Technique>, S: Scheduler> Searcher for Worker<P, S> {
    type Move = Move;

    fn root_moves(&self) -> &RootMoves<Move> {
        &self.root_moves
    }

    fn root_moves_mut(&mut self) -> &mut RootMoves<Move> {
        &mut self.root_moves
    }

    fn node_counter(&self) -> &NodeCounter {
        &self.node_counter
    }

    fn search_root(&mut self, window: Window, depth: Depth) -> Result<Score, Stop> {
        // An abandoned search leaves its path behind.
        self.keys.truncate(self.game_keys);
        self.arena.release(0);
        self.root_depth = depth;
        self.selective_depth = 0;
        self.ply_statistics = PlyStatistics::default();
        let root = self.root.clone();
        let window = if self.uses(Technique::AlphaBeta) { window } else { Window::FULL };
        self.in_phase(Phase::Node, |worker| worker.node::<Root>(&root, window, depth, 0, false))
    }

    fn static_evaluation(&mut self) -> Score {
        let root = self.root.clone();
        if !root.has_legal_move() {
            return if root.in_check() { Score::mated_in(0) } else { Score::ZERO };
        }
        Score::centipawns(self.evaluator.evaluate(&root, 0))
    }

    fn root_move_eval(&mut self, mv: Move) -> Score {
        let child = self.root.after(mv);
        if !child.has_legal_move() {
            return if child.in_check() { Score::mate_in(1) } else { Score::ZERO };
        }
        let mut keys = self.keys[..self.game_keys].to_vec();
        keys.push(self.root.key());
        if child.is_fifty_move_draw() || child.is_insufficient_material() || child.repetitions(&keys) >= 2 {
            return Score::ZERO;
        }
        let mates = |reply: &Move| child.gives_check(*reply) && child.after(*reply).is_checkmate();
        if child.legal_moves().iter().any(mates) {
            return Score::mated_in(2);
        }
        let lost = if self.root.see_at_least(mv, 0) { 0 } else { piece_value(mover(&self.root, mv).kind()) };
        Score::centipawns(-self.evaluator.evaluate(&child, 1) - lost)
    }

    fn known_result(&self) -> Option<Score> {
        self.known_result
    }

    fn permille_used(&self) -> u32 {
        self.shared.table.permille_used()
    }

    /// A line ends where the game does. A mate line is cut at the mate.
    fn trim_line(&mut self, line: &mut Line<Move>, score: Score) {
        let mut keys = self.keys[..self.game_keys].to_vec();
        let mut position = self.root.clone();
        let longest = match score.kind() {
            Kind::MateIn(plies) | Kind::MatedIn(plies) => plies as usize,
            _ => MAX_PLY,
        };
        let mut length = 0;
        for mv in line.iter().take(longest) {
            if !position.is_legal(mv) {
                break;
            }
            keys.push(position.key());
            position.play(mv);
            length += 1;
            let repeated = position.repetitions(&keys) >= 2;
            if repeated || position.is_fifty_move_draw() || position.is_insufficient_material() {
                break;
            }
        }
        line.truncate(length);
    }
}
