//! The whole searching party: workers, table, clock and orders. One per engine.

use crate::parameters::Parameters;
use crate::tablebases::{TablebaseSettings, Tablebases};
use crate::technique::Technique;
use crate::worker::{Shared, Worker};
use chess::{Game, Move};
use eval::Evaluator;
use kernel::counters::Counters;
use kernel::driver::{Plan, conclude, iterate};
use kernel::sched::Solo;
use kernel::table::TableTooLarge;
use kernel::time::TimeSettings;
use kernel::{Clock, Control, Event, Limits, Outcome, Policy, Role, Session, Sink, Table};
use std::sync::Arc;

/// Workers that search together by Lazy SMP: each on its own, meeting only in the table.
pub struct Crew<P> {
    policy: P,
    shared: Arc<Shared>,
    workers: Vec<Worker<P, Solo>>,
    control: Arc<Control>,
    clock: Arc<dyn Clock>,
    session: Arc<Session>,
    make_evaluator: Box<dyn Fn() -> Evaluator + Send + Sync>,
    tablebases: Option<Arc<Tablebases>>,
    tablebase_settings: TablebaseSettings,
    /// How time is kept.
    pub settings: TimeSettings,
    /// Lines to report.
    pub lines: usize,
    /// How much worse than nothing a draw is for the side that searches, in centipawns.
    pub contempt: i32,
}

impl<P: Policy<Technique>> Crew<P> {
    /// One worker and a table of so many megabytes.
    pub fn new(policy: P, megabytes: usize, clock: Arc<dyn Clock>) -> Result<Self, TableTooLarge> {
        let shared = Arc::new(Shared::new(Table::new(megabytes)?));
        let control = Arc::new(Control::new());
        let settings = TimeSettings::default();
        let session = Session::begin(Arc::clone(&control), Arc::clone(&clock), Limits::nodes(0), settings, 1);
        let mut crew = Self {
            policy,
            shared,
            workers: Vec::new(),
            control,
            clock,
            session: Arc::new(session),
            make_evaluator: Box::new(Evaluator::default),
            tablebases: None,
            tablebase_settings: TablebaseSettings::default(),
            settings,
            lines: 1,
            contempt: 0,
        };
        crew.set_threads(1);
        Ok(crew)
    }

    /// The orders this crew listens to: keep a clone to stop it from another thread.
    pub fn control(&self) -> Arc<Control> {
        Arc::clone(&self.control)
    }

    /// What the workers share.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Number of workers.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Changes the number of workers; at least one stays.
    pub fn set_threads(&mut self, threads: usize) {
        let (policy, shared, session) = (self.policy, &self.shared, &self.session);
        let make = &self.make_evaluator;
        self.workers.resize_with(threads.max(1), || {
            Worker::new(policy, Solo, Arc::clone(shared), make(), Arc::clone(session))
        });
    }

    /// Changes the size of the table; on failure the old one stays.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TableTooLarge> {
        if self.shared.table.megabytes() == megabytes {
            return Ok(());
        }
        let table = Table::new(megabytes)?;
        self.adopt(Shared::with_parameters(table, self.shared.parameters.clone()));
        Ok(())
    }

    /// Changes the search's numbers, and forgets what was learnt with the old ones.
    pub fn set_parameters(&mut self, parameters: Parameters) -> Result<(), TableTooLarge> {
        let table = Table::new(self.shared.table.megabytes())?;
        self.adopt(Shared::with_parameters(table, parameters));
        Ok(())
    }

    /// Changes the evaluation, and forgets what was learnt with the old one.
    pub fn set_evaluator(&mut self, make: impl Fn() -> Evaluator + Send + Sync + 'static) {
        self.make_evaluator = Box::new(make);
        self.shared.table.clear(self.workers.len());
        self.renew_workers();
    }

    fn adopt(&mut self, shared: Shared) {
        self.shared = Arc::new(shared);
        self.renew_workers();
    }

    fn renew_workers(&mut self) {
        let threads = self.workers.len();
        self.workers.clear();
        self.set_threads(threads);
    }

    /// Changes the endgame tables, and when they are asked; `None` does without.
    pub fn set_tablebases(&mut self, tables: Option<Arc<Tablebases>>, settings: TablebaseSettings) {
        self.tablebases = tables;
        self.tablebase_settings = settings;
    }

    /// A new game: forgets everything.
    pub fn clear(&mut self) {
        self.shared.table.clear(self.workers.len());
        for worker in &mut self.workers {
            worker.clear();
        }
    }

    /// What the last search counted, summed over the workers.
    pub fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        for worker in self.session.published() {
            sum += worker.snapshot();
        }
        sum
    }

    /// Searches the game's present position; `allowed` empty means every legal move. Returns when
    /// the search has ended and its best move has been given to the sink.
    pub fn search(
        &mut self,
        game: &Game,
        allowed: &[Move],
        limits: Limits,
        sink: &mut dyn Sink<Move>,
    ) -> Outcome<Move> {
        let session = Session::begin(
            Arc::clone(&self.control),
            Arc::clone(&self.clock),
            limits,
            self.settings,
            self.workers.len(),
        );
        self.search_in(&Arc::new(session), game, allowed, sink)
    }

    /// As [`Crew::search`], in a session that was opened before: whoever hands the search to another thread opens it
    /// first (on this crew's control), so that an order to stop cannot overtake the search.
    pub fn search_in(
        &mut self,
        session: &Arc<Session>,
        game: &Game,
        allowed: &[Move],
        sink: &mut dyn Sink<Move>,
    ) -> Outcome<Move> {
        self.session = Arc::clone(session);
        self.shared.table.new_search();
        for (number, worker) in self.workers.iter_mut().enumerate() {
            worker.tablebases.clone_from(&self.tablebases);
            worker.tablebase_settings = self.tablebase_settings;
            worker.contempt = self.contempt;
            worker.begin(game, allowed, Arc::clone(session), number);
        }
        let uses = |technique| self.policy.uses(technique);
        let plan = Plan {
            lines: self.lines,
            aspiration: uses(Technique::Aspiration).then_some(self.shared.parameters.aspiration),
            deepen: uses(Technique::Deepening) || session.limits().depth.is_none(),
            relaxed_plies: 2,
        };
        let Some((main, helpers)) = self.workers.split_first_mut() else {
            // Never taken: a crew has at least one worker.
            return Outcome {
                best: None,
                line: kernel::Line::default(),
                score: kernel::Score::ZERO,
                depth: kernel::Depth::ZERO,
            };
        };
        let outcome = std::thread::scope(|scope| {
            for helper in helpers {
                let plan = &plan;
                scope.spawn(move || {
                    iterate(helper, plan, Role::Helper, &mut |_: Event<'_, Move>| {});
                });
            }
            iterate(main, &plan, Role::Main, sink)
        });
        conclude(&outcome, sink);
        outcome
    }
}
