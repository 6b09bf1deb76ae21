//! One worker: everything it owns, and how it begins a search.

use crate::correction::{Corrections, KINDS};
use crate::history::{ContinuationContext, Histories, PieceTo, QuietIndex, mover};
use crate::move_picker::Arena;
use crate::parameters::{Parameters, Reductions, piece_value};
use crate::phase::{Phase, PhaseProbe};
use crate::ply_statistics::PlyStatistics;
use crate::stack::Stack;
use crate::tablebases::{RootProbe, TablebaseResult, TablebaseSettings, Tablebases};
use crate::team::Scheduler;
use crate::technique::Technique;
use chess::{Game, Move, Position};
use eval::Evaluator;
use kernel::Root;
use kernel::counters::Count;
use kernel::{
    Depth, Kind, Line, MAX_PLY, NodeCounter, Policy, RootMoves, Score, SearchSession, Searcher, Stop, Table,
    Window,
};
use std::sync::Arc;

/// What all workers of one engine share.
pub struct Shared {
    /// The transposition table.
    pub table: Table,
    /// The search's numbers.
    pub parameters: Parameters,
    /// Reductions made from them.
    pub reductions: Reductions,
}

impl Shared {
    /// A table and default numbers.
    pub fn new(table: Table) -> Self {
        Self::with_parameters(table, Parameters::default())
    }

    /// A table and numbers of one's own.
    pub fn with_parameters(table: Table, parameters: Parameters) -> Self {
        let reductions = Reductions::new(&parameters);
        Self { table, parameters, reductions }
    }
}

/// One thread's search.
pub struct Worker<P, S> {
    pub(crate) policy: P,
    pub(crate) scheduler: S,
    pub(crate) shared: Arc<Shared>,
    pub(crate) node_counter: NodeCounter,
    pub(crate) evaluator: Evaluator,
    pub(crate) histories: Histories,
    pub(crate) corrections: Corrections,
    pub(crate) correction_weights: [i32; KINDS],
    pub(crate) root_moves: RootMoves<Move>,
    pub(crate) root: Position,
    /// Keys of all positions before the present one, the game's and then the path's.
    pub(crate) keys: Vec<u64>,
    /// How many of them belong to the game.
    game_keys: usize,
    pub(crate) stack: Stack,
    pub(crate) arena: Arena,
    pub(crate) lines: Box<[Line<Move>]>,
    pub(crate) selective_depth: usize,
    /// Null moves are forbidden above this ply while one is being verified.
    pub(crate) null_move_from: usize,
    pub(crate) root_depth: Depth,
    pub(crate) tablebases: Option<Arc<Tablebases>>,
    pub(crate) tablebase_settings: TablebaseSettings,
    /// Measures of the present iteration, for study.
    pub(crate) ply_statistics: PlyStatistics,
    /// The phase the worker is in, for study.
    pub(crate) phase_probe: PhaseProbe,
    /// Contempt: how much less than 0 a draw is worth to the side to move at the root, in centipawns.
    pub(crate) contempt: i32,
    /// The root itself is in the table bases: inside the search they would only hide the way.
    pub(crate) root_in_tablebases: bool,
    /// The result of the root, by table bases or as a dead draw.
    known_result: Option<Score>,
}

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    /// A worker with empty histories, ready for [`Worker::begin`].
    pub fn new(
        policy: P,
        scheduler: S,
        shared: Arc<Shared>,
        evaluator: Evaluator,
        session: Arc<SearchSession>,
    ) -> Self {
        let numbers = &shared.parameters;
        let weight = |technique, weight| if policy.uses(technique) { weight } else { 0 };
        let correction_weights = [
            weight(Technique::PawnCorrection, numbers.correction_pawn),
            weight(Technique::MinorCorrection, numbers.correction_minor),
            weight(Technique::MajorCorrection, numbers.correction_major),
            weight(Technique::NonPawnCorrection, numbers.correction_non_pawn),
            weight(Technique::NonPawnCorrection, numbers.correction_non_pawn),
            weight(Technique::ContinuationCorrection, numbers.correction_continuation),
        ];
        Self {
            policy,
            scheduler,
            shared,
            node_counter: NodeCounter::new(session, 0),
            evaluator,
            histories: Histories::default(),
            corrections: Corrections::default(),
            correction_weights,
            root_moves: RootMoves::default(),
            root: Position::default(),
            keys: Vec::with_capacity(1024 + MAX_PLY),
            game_keys: 0,
            stack: Stack::default(),
            arena: Arena::default(),
            lines: vec![Line::default(); MAX_PLY + 2].into_boxed_slice(),
            selective_depth: 0,
            null_move_from: 0,
            root_depth: Depth::ZERO,
            tablebases: None,
            tablebase_settings: TablebaseSettings::default(),
            ply_statistics: PlyStatistics::default(),
            phase_probe: PhaseProbe::default(),
            contempt: 0,
            root_in_tablebases: false,
            known_result: None,
        }
    }

    /// What a draw is worth to the side to move here.
    #[inline]
    pub(crate) fn draw(&self, position: &Position) -> Score {
        let of_root = position.turn() == self.root.turn();
        Score::centipawns(if of_root { -self.contempt } else { self.contempt })
    }

    /// Uses the histories and corrections of another worker from now on.
    pub(crate) fn share_histories(&mut self, other: &Self) {
        self.histories = other.histories.clone();
        self.corrections = other.corrections.clone();
    }

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

    /// Clears histories, corrections and evaluation caches: a new game.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.evaluator.clear();
    }

    /// The policy this worker searches by.
    pub fn policy(&self) -> &P {
        &self.policy
    }

    /// Does a piece of work as part of a phase.
    #[inline(always)]
    pub(crate) fn during<R>(&mut self, phase: Phase, work: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.phase_probe.enter::<P>(phase);
        let result = work(self);
        self.phase_probe.leave::<P>(before);
        result
    }

    /// Static exchange evaluation (SEE): does the exchange that a move begins win at least this much?
    #[inline]
    pub(crate) fn see_at_least(&self, position: &Position, mv: Move, least: i32) -> bool {
        let before = self.phase_probe.enter::<P>(Phase::StaticExchange);
        let wins = position.see_at_least(mv, least);
        self.phase_probe.leave::<P>(before);
        wins
    }

    #[inline]
    pub(crate) fn uses(&self, technique: Technique) -> bool {
        self.policy.uses(technique)
    }

    #[inline]
    pub(crate) fn parameters(&self) -> &Parameters {
        &self.shared.parameters
    }

    /// The moves 1, 2, 4 and 6 plies before `ply`, as the continuation history knows them.
    #[inline]
    pub(crate) fn context(&self, ply: usize) -> ContinuationContext {
        [1, 2, 4, 6].map(|back| self.stack.back(ply, back).piece_to)
    }

    /// Goes to the position after a move; a quiet one comes with where its histories lie.
    #[inline]
    pub(crate) fn enter(
        &mut self,
        position: &Position,
        mv: Move,
        ply: usize,
        quiet_index: Option<QuietIndex>,
    ) -> Position {
        let before = self.phase_probe.enter::<P>(Phase::MakeMove);
        self.shared.table.prefetch(position.key_after(mv));
        let piece = mover(position, mv);
        let here = &mut self.stack[ply];
        here.mv = Some(mv);
        here.quiet_index = quiet_index;
        here.piece_to = PieceTo::new(piece, mv);
        self.keys.push(position.key());
        let child = position.after(mv);
        self.phase_probe.leave::<P>(before);
        child
    }

    /// Passes the turn.
    pub(crate) fn enter_null(&mut self, position: &Position, ply: usize) -> Position {
        let before = self.phase_probe.enter::<P>(Phase::MakeMove);
        let here = &mut self.stack[ply];
        here.mv = None;
        here.quiet_index = None;
        here.piece_to = PieceTo::NONE;
        self.keys.push(position.key());
        let mut child = position.clone();
        child.play_null();
        self.shared.table.prefetch(child.key());
        self.phase_probe.leave::<P>(before);
        child
    }

    /// Comes back from a child. Not called when the search is abandoned: the whole path is.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.keys.pop();
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
        self.during(Phase::Node, |worker| worker.node::<Root>(&root, window, depth, 0, false))
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
