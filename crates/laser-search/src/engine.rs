//! The engine as others see it: a table, settings, and searches of one game at a time.

use std::sync::Arc;
use std::time::Duration;

use kernel::driver::{Plan, conclude};
use kernel::sched::{
    Abdada, CurrentlySearching, Parallel, Ranks, Solo, SplitSettings, ThreadPool, Timeline, VirtualSettings,
    parallel_search, workers_that_fit, ybwc_workers,
};
use kernel::table::TableTooLarge;
use kernel::time::TimeSettings;
use kernel::{
    Clock, Control, Depth, Event, Limits, Line, NodeCounter, Outcome, Policy, Release, Score, SearchSession,
    Sink, Table,
};
use laser::{DrawRules, Game, Move, Position};

use crate::endgame::Endgame;
use crate::eval::{Evaluator, Weights};
use crate::search::{Histories, Parameters, Scheduler, Shared, Technique, Worker};

/// Everything that can be set.
#[derive(Clone, Debug)]
pub struct Settings {
    pub weights: Weights,
    pub parameters: Parameters,
    pub rules: DrawRules,
    pub threads: usize,
    /// How the threads share the work.
    pub parallel: Parallel,
    /// Workers in virtual time, in place of real ones.
    pub virtual_time: Option<VirtualSettings>,
    pub time: TimeSettings,
    /// Half-width of the first aspiration window in centipawns; `None` searches with the full window.
    pub aspiration: Option<i32>,
    /// Evaluate by the definitions instead of tables and sweeps: slower, for measuring.
    pub plain_evaluation: bool,
    /// Solved positions, asked before anything is searched below them.
    pub endgame: Option<Arc<Endgame>>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            weights: Weights::FITTED,
            parameters: Parameters::default(),
            rules: DrawRules::RULE_BOOK,
            threads: 1,
            parallel: Parallel::default(),
            virtual_time: None,
            time: TimeSettings::default(),
            aspiration: Some(20),
            plain_evaluation: false,
            endgame: None,
        }
    }
}

impl Settings {
    fn workers(&self) -> usize {
        match self.virtual_time {
            Some(virtual_time) => virtual_time.workers.clamp(1, kernel::sched::virtual_time::MOST_WORKERS),
            None => self.threads.max(1),
        }
    }
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The move to play; `None` when the game is over.
    pub best: Option<Move>,
    pub line: Line<Move>,
    pub score: Score,
    pub depth: Depth,
    /// Positions entered.
    pub nodes: u64,
    /// Moves tried, as the course's players count what they call nodes: every move of a position that is looked at
    /// until one cuts, also those that quiescence looks at and drops because they zap nothing. Moves skipped unseen
    /// (late, suicidal or forbidden ones) are left out, so for the same tree those players report at least as many.
    pub tried: u64,
    /// Time it took, virtual where time is.
    pub time: Duration,
}

/// A search that has begun; see [`Engine::prepare`].
pub struct Task {
    session: Arc<SearchSession>,
    root: Position,
    keys: Vec<u64>,
}

/// A searcher of games. Two with different settings live side by side.
pub struct Engine {
    shared: Arc<Shared>,
    settings: Settings,
    histories: Vec<Histories>,
    pool: ThreadPool,
    timeline: Option<Arc<Timeline>>,
    control: Arc<Control>,
    clock: Arc<dyn Clock>,
}

/// Memory that a worker needs at most: histories, stack and lines.
const WORKER_BYTES: usize = 8 << 20;

/// Megabytes of table unless set otherwise.
pub const DEFAULT_MEGABYTES: usize = 16;

impl Engine {
    pub fn new(clock: Arc<dyn Clock>, settings: Settings, megabytes: usize) -> Result<Engine, TableTooLarge> {
        let shared = Arc::new(shared(&settings, Table::new(megabytes)?));
        let mut engine = Engine {
            shared,
            settings,
            histories: Vec::new(),
            pool: ThreadPool::default(),
            timeline: None,
            control: Arc::new(Control::new()),
            clock,
        };
        engine.ybwc_workers();
        Ok(engine)
    }

    /// Workers as the settings want them; where the system gives fewer threads or too little memory, fewer search.
    fn ybwc_workers(&mut self) {
        if let Some(virtual_time) = &mut self.settings.virtual_time {
            self.pool = ThreadPool::default();
            virtual_time.workers = workers_that_fit(virtual_time.workers, WORKER_BYTES);
        } else {
            // As many as it has, they search.
            let _ = self.pool.resize_to_fit(self.settings.threads.max(1) - 1, WORKER_BYTES);
            self.settings.threads = self.pool.len() + 1;
        }
        self.timeline = self.settings.virtual_time.map(|settings| Arc::new(Timeline::new(settings)));
        self.histories.clear();
        self.histories.resize_with(self.settings.workers(), Histories::new);
    }

    /// The orders a running search listens to: keep a copy to stop it from another thread.
    pub fn control(&self) -> &Arc<Control> {
        &self.control
    }

    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings; the table keeps its size but forgets, because its scores belonged to the old ones.
    pub fn set(&mut self, settings: Settings) {
        self.settings = settings;
        // Only a search holds the table too, and none is running.
        if let Some(held) = Arc::get_mut(&mut self.shared) {
            let table = std::mem::take(&mut held.table);
            self.shared = Arc::new(shared(&self.settings, table));
        }
        self.ybwc_workers();
        self.shared.table.clear(1);
    }

    pub fn resize_table(&mut self, megabytes: usize) -> Result<(), TableTooLarge> {
        match Arc::get_mut(&mut self.shared) {
            Some(shared) => shared.table.resize(megabytes),
            None => Err(TableTooLarge { megabytes }),
        }
    }

    pub fn megabytes(&self) -> usize {
        self.shared.table.megabytes()
    }

    /// Forgets everything learnt from earlier searches.
    pub fn new_game(&mut self) {
        self.shared.table.clear(1);
        for histories in &mut self.histories {
            *histories = Histories::new();
        }
    }

    /// The static value of a position in centipawns from the side to move.
    pub fn evaluate(&self, position: &Position) -> Option<i32> {
        self.shared.evaluator.evaluate(position)
    }

    pub fn evaluator(&self) -> &Evaluator {
        &self.shared.evaluator
    }

    /// Begins a search of a game's last position: clears old orders and starts the clock. [`Engine::perform`] does it.
    pub fn prepare(&self, game: &Game, mut limits: Limits) -> Task {
        let earlier = game.positions().len() - 1;
        limits.ply = earlier as u32;
        let clock = match &self.timeline {
            Some(timeline) => Arc::clone(timeline) as Arc<dyn Clock>,
            None => Arc::clone(&self.clock),
        };
        let control = Arc::clone(&self.control);
        let session =
            SearchSession::begin(control, clock, limits, self.settings.time.clone(), self.histories.len());
        Task {
            session: Arc::new(session),
            root: *game.position(),
            keys: game.positions()[..earlier].iter().map(Position::key).collect(),
        }
    }

    /// Searches with every technique.
    pub fn perform(&mut self, task: &Task, sink: &mut dyn Sink<Move>) -> SearchResult {
        self.perform_with(Release, task, sink)
    }

    /// Prepares and performs in one.
    pub fn search(&mut self, game: &Game, limits: Limits, sink: &mut dyn Sink<Move>) -> SearchResult {
        let task = self.prepare(game, limits);
        self.perform(&task, sink)
    }

    /// Searches with some techniques switched off, for studies.
    pub fn perform_with<P: Policy<Technique>>(
        &mut self,
        policy: P,
        task: &Task,
        sink: &mut dyn Sink<Move>,
    ) -> SearchResult {
        self.shared.table.new_search();
        let count = self.histories.len();
        let way = if count == 1 { Parallel::Lazy } else { self.settings.parallel };
        let mut tried = 0;
        let outcome = match way {
            Parallel::Lazy => self.search_by(policy, task, vec![Solo; count], &mut tried, sink),
            Parallel::Ybwc | Parallel::Teams => {
                let largest = if way == Parallel::Teams { TEAM_SIZE } else { count };
                let schedulers = ybwc_workers(count, largest, SplitSettings::default());
                self.search_by(policy, task, schedulers, &mut tried, sink)
            }
            Parallel::Abdada => {
                let marks = Arc::new(CurrentlySearching::new(DEFER_DEPTH));
                let schedulers = (0..count).map(|_| Abdada::new(Arc::clone(&marks))).collect();
                self.search_by(policy, task, schedulers, &mut tried, sink)
            }
        };
        // Histories come back from their workers; one whose worker failed is begun anew.
        self.histories.resize_with(count, Histories::new);
        SearchResult {
            best: outcome.best,
            line: outcome.line,
            score: outcome.score,
            depth: outcome.depth,
            nodes: task.session.nodes(),
            tried,
            time: task.session.elapsed(),
        }
    }

    fn search_by<P: Policy<Technique>, S: Scheduler>(
        &mut self,
        policy: P,
        task: &Task,
        schedulers: Vec<S>,
        tried: &mut u64,
        sink: &mut dyn Sink<Move>,
    ) -> Outcome<Move> {
        let Task { session, root, keys } = task;
        let plan = Plan { aspiration: self.settings.aspiration, ..Plan::default() };
        let mut workers: Vec<_> = self
            .histories
            .drain(..)
            .zip(schedulers)
            .enumerate()
            .map(|(number, (histories, scheduler))| {
                let (shared, node_counter) =
                    (Arc::clone(&self.shared), NodeCounter::new(Arc::clone(session), number));
                Box::new(Worker::new(shared, policy, scheduler, node_counter, histories, *root, keys))
            })
            .collect();
        let ranks = Ranks::default();
        let (pool, timeline) = (&mut self.pool, self.timeline.as_ref());
        let searched = parallel_search(&mut workers, &plan, pool, timeline, &ranks, sink);
        *tried += workers.iter().map(|worker| worker.tried).sum::<u64>();
        self.histories.extend(workers.into_iter().map(|worker| worker.histories));
        let is_concluded = searched.as_ref().is_some_and(|end| !end.has_failed);
        // Only when the first worker failed: still a move that may be played.
        let outcome = searched.map_or_else(
            || Outcome { best: root.legal_moves().into_iter().next(), ..Outcome::default() },
            |end| end.outcome,
        );
        if !is_concluded {
            sink.event(Event::Failed);
            conclude(&outcome, sink);
        }
        outcome
    }
}

/// Most workers in a team, where there are several teams.
const TEAM_SIZE: usize = 8;
/// The least depth at which ABDADA puts a move off.
const DEFER_DEPTH: i32 = 3;

fn shared(settings: &Settings, table: Table) -> Shared {
    Shared {
        table,
        evaluator: if settings.plain_evaluation {
            Evaluator::plain(settings.weights)
        } else {
            Evaluator::new(settings.weights)
        },
        reductions: settings.parameters.reductions(),
        parameters: settings.parameters.clone(),
        rules: settings.rules,
        endgame: settings.endgame.clone(),
    }
}
