//! The engine as others see it: a table, settings, and searches of one game at a time.

use std::sync::Arc;

use kernel::driver::{Plan, conclude, iterate};
use kernel::sched::Solo;
use kernel::table::TableTooLarge;
use kernel::time::TimeSettings;
use kernel::{
    Clock, Control, Depth, Limits, Line, Policy, Pulse, Release, Role, Score, Session, Sink, Table,
};
use laser::{DrawRules, Game, Move, Position};

use crate::eval::{Evaluator, Weights};
use crate::search::{Histories, Parameters, Shared, Technique, Worker};

/// Everything that can be set.
#[derive(Clone, Debug)]
pub struct Settings {
    pub weights: Weights,
    pub parameters: Parameters,
    pub rules: DrawRules,
    pub threads: usize,
    pub time: TimeSettings,
    /// Half-width of the first aspiration window in centipawns; `None` searches with the full window.
    pub aspiration: Option<i32>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            weights: Weights::WITH_MOBILITY,
            parameters: Parameters::default(),
            rules: DrawRules::RULE_BOOK,
            threads: 1,
            time: TimeSettings::default(),
            aspiration: Some(20),
        }
    }
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Found {
    /// The move to play; `None` when the game is over.
    pub best: Option<Move>,
    pub line: Line<Move>,
    pub score: Score,
    pub depth: Depth,
    pub nodes: u64,
}

/// A search that has begun; see [`Engine::prepare`].
pub struct Task {
    session: Arc<Session>,
    root: Position,
    keys: Vec<u64>,
}

/// A searcher of games. Two with different settings live side by side.
pub struct Engine {
    shared: Shared,
    settings: Settings,
    histories: Vec<Histories>,
    control: Arc<Control>,
    clock: Arc<dyn Clock>,
}

/// Megabytes of table unless set otherwise.
pub const DEFAULT_MEGABYTES: usize = 16;

impl Engine {
    pub fn new(clock: Arc<dyn Clock>, settings: Settings, megabytes: usize) -> Result<Engine, TableTooLarge> {
        let shared = Shared {
            table: Table::new(megabytes)?,
            evaluator: Evaluator::new(settings.weights),
            reductions: settings.parameters.reductions(),
            parameters: settings.parameters.clone(),
            rules: settings.rules,
        };
        let histories = (0..settings.threads.max(1)).map(|_| Histories::new()).collect();
        Ok(Engine { shared, settings, histories, control: Arc::new(Control::new()), clock })
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
        self.shared.evaluator = Evaluator::new(settings.weights);
        self.shared.reductions = settings.parameters.reductions();
        self.shared.parameters = settings.parameters.clone();
        self.shared.rules = settings.rules;
        self.histories = (0..settings.threads.max(1)).map(|_| Histories::new()).collect();
        self.settings = settings;
        self.shared.table.clear(1);
    }

    pub fn resize_table(&mut self, megabytes: usize) -> Result<(), TableTooLarge> {
        self.shared.table.resize(megabytes)
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
    pub fn prepare(&self, game: &Game, limits: Limits) -> Task {
        let session = Session::begin(
            Arc::clone(&self.control),
            Arc::clone(&self.clock),
            limits,
            self.settings.time,
            self.histories.len(),
        );
        let earlier = game.positions().len() - 1;
        Task {
            session: Arc::new(session),
            root: *game.position(),
            keys: game.positions()[..earlier].iter().map(Position::key).collect(),
        }
    }

    /// Searches with every technique.
    pub fn perform(&mut self, task: &Task, sink: &mut dyn Sink<Move>) -> Found {
        self.perform_with(Release, task, sink)
    }

    /// Prepares and performs in one.
    pub fn search(&mut self, game: &Game, limits: Limits, sink: &mut dyn Sink<Move>) -> Found {
        let task = self.prepare(game, limits);
        self.perform(&task, sink)
    }

    /// Searches with some techniques switched off: the laboratory's door.
    pub fn perform_with<P: Policy<Technique>>(
        &mut self,
        policy: P,
        task: &Task,
        sink: &mut dyn Sink<Move>,
    ) -> Found {
        let Task { session, root, keys } = task;
        let root = *root;
        self.shared.table.new_search();
        let plan = Plan { aspiration: self.settings.aspiration, ..Plan::default() };
        let shared = &self.shared;

        let outcome = std::thread::scope(|scope| {
            let mut histories = self.histories.iter_mut();
            let own = histories.next()?;
            // Lazy SMP: helpers search the same root and meet the others in the table.
            for (index, histories) in histories.enumerate() {
                let (session, plan) = (Arc::clone(session), &plan);
                scope.spawn(move || {
                    let pulse = Pulse::new(session, index + 1);
                    let mut worker = Worker::new(shared, policy, Solo, pulse, histories, root, keys);
                    iterate(&mut worker, plan, Role::Helper, &mut |_: kernel::Event<'_, Move>| ());
                });
            }
            let pulse = Pulse::new(Arc::clone(session), 0);
            let mut worker = Worker::new(shared, policy, Solo, pulse, own, root, keys);
            Some(iterate(&mut worker, &plan, Role::Main, sink))
        });
        match outcome {
            Some(outcome) => {
                conclude(&outcome, sink);
                Found {
                    best: outcome.best,
                    line: outcome.line,
                    score: outcome.score,
                    depth: outcome.depth,
                    nodes: session.nodes(),
                }
            }
            None => {
                Found { best: None, line: Line::default(), score: Score::ZERO, depth: Depth::ZERO, nodes: 0 }
            }
        }
    }
}
