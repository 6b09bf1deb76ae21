//! One worker: everything it owns.

use crate::correction::{Corrections, KINDS};
use crate::history::{ContinuationContext, Histories, PieceTo, QuietIndex, mover};
use crate::move_picker::Arena;
use crate::parameters::{Parameters, Reductions};
use crate::phase::{Phase, PhaseProbe};
use crate::ply_statistics::PlyStatistics;
use crate::stack::Stack;
use crate::table_key::{table_key, table_key_after};
use crate::tablebases::{TablebaseSettings, Tablebases};
use crate::technique::Technique;
use chess::{Move, Position};
use eval::Evaluator;
use kernel::exchange::Outbox;
use kernel::{Depth, Line, MAX_PLY, NodeCounter, Policy, RootMoves, Score, SearchSession, Table};
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
    pub(crate) game_keys: usize,
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
    /// Where deep table entries go for other ranks to see.
    pub(crate) outbox: Option<Arc<Outbox>>,
    /// The result of the root, by table bases or as a dead draw.
    pub(crate) known_result: Option<Score>,
}

impl<P: Policy<Technique>, S> Worker<P, S> {
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
            weight(Technique::FarContinuationCorrection, numbers.correction_far),
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
            outbox: None,
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
    pub(crate) fn in_phase<R>(&mut self, phase: Phase, work: impl FnOnce(&mut Self) -> R) -> R {
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
        let expected = table_key_after(position, mv);
        self.shared.table.prefetch(expected);
        let piece = mover(position, mv);
        let here = &mut self.stack[ply];
        here.mv = Some(mv);
        here.quiet_index = quiet_index;
        here.capture_index = None;
        here.piece_to = PieceTo::new(piece, mv);
        self.keys.push(position.key());
        let child = position.after(mv);
        // Castling, en passant and promotions change more than the expected key tells.
        let key = table_key(&child);
        if key != expected {
            self.shared.table.prefetch(key);
        }
        self.phase_probe.leave::<P>(before);
        child
    }

    /// Passes the turn.
    pub(crate) fn enter_null(&mut self, position: &Position, ply: usize) -> Position {
        let before = self.phase_probe.enter::<P>(Phase::MakeMove);
        let here = &mut self.stack[ply];
        here.mv = None;
        here.quiet_index = None;
        here.capture_index = None;
        here.piece_to = PieceTo::NONE;
        self.keys.push(position.key());
        let mut child = position.clone();
        child.play_null();
        self.shared.table.prefetch(table_key(&child));
        self.phase_probe.leave::<P>(before);
        child
    }

    /// Comes back from a child. Not called when the search is abandoned: the whole path is.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.keys.pop();
    }
}
