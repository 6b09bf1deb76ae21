//! The thread that searches, alive as long as the engine, and the pool it commands.

use crate::bell::Bell;
use crate::consultant::Consultant;
use crate::options::OptionError;
use crate::report::{Listener, Report};
use crate::request::Request;
use crate::settings::Settings;
use chess::{Game, Move, Position};
use eval::Evaluation;
use kernel::counters::{Count, Counters};
use kernel::time::TimeSettings;
use kernel::{
    Clock, Control, Event, Lab, Limits, Release, SearchSession, SearchStatistics, Sink, TechniqueSet,
};
use search::{
    BenchReport, Parameters, PlyStatistics, SearchPool, SearchPoolSettings, TablebaseSettings, Tablebases,
    Technique,
};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// A pool as released, or one with techniques switched for study.
pub(crate) enum Party {
    Released(SearchPool<Release>),
    Study(SearchPool<Lab<Technique>>),
}

macro_rules! either {
    ($party:expr, $pool:ident => $body:expr) => {
        match $party {
            Party::Released($pool) => $body,
            Party::Study($pool) => $body,
        }
    };
}

/// What a pool is made from.
#[derive(Clone)]
pub(crate) struct Muster {
    pub hash_megabytes: usize,
    pub pool: SearchPoolSettings,
    pub techniques: Option<TechniqueSet<Technique>>,
    pub evaluation: Evaluation,
    pub parameters: Parameters,
}

fn no_threads(error: &std::io::Error) -> OptionError {
    OptionError::Failed { name: "Threads", reason: format!("{error}; as many search as the system gave") }
}

impl Party {
    fn new(muster: &Muster, clock: Arc<dyn Clock>) -> Result<Party, OptionError> {
        let failed = |error: kernel::table::TableTooLarge| OptionError::Failed {
            name: "Hash",
            reason: format!("{error}; the table stays as it was"),
        };
        let mut party = match muster.techniques {
            None => Party::Released(SearchPool::new(Release, muster.hash_megabytes, clock).map_err(failed)?),
            Some(set) => {
                Party::Study(SearchPool::new(Lab(set), muster.hash_megabytes, clock).map_err(failed)?)
            }
        };
        either!(&mut party, pool => {
            pool.set_pool_settings(muster.pool).map_err(|error| no_threads(&error))?;
            if muster.parameters != Parameters::default() {
                pool.set_parameters(muster.parameters.clone()).map_err(failed)?;
            }
            if muster.evaluation != Evaluation::default() {
                let evaluation = muster.evaluation.clone();
                pool.set_evaluator(move || evaluation.evaluator());
            }
        });
        Ok(party)
    }

    fn control(&self) -> Arc<Control> {
        either!(self, pool => pool.control())
    }

    fn set_pool_settings(&mut self, settings: SearchPoolSettings) -> std::io::Result<()> {
        either!(self, pool => pool.set_pool_settings(settings))
    }

    /// The clock of its searches, and how many workers they have.
    fn terms_of_work(&self) -> (Arc<dyn Clock>, usize) {
        either!(self, pool => (pool.clock(), pool.threads()))
    }

    fn set_tablebases(&mut self, tables: Option<Arc<Tablebases>>, settings: TablebaseSettings) {
        either!(self, pool => pool.set_tablebases(tables, settings));
    }

    fn clear(&mut self) {
        either!(self, pool => pool.clear());
    }

    /// Only a study records anything.
    fn ply_statistics(&self) -> Option<PlyStatistics> {
        match self {
            Party::Released(_) => None,
            Party::Study(pool) => Some(pool.ply_statistics()),
        }
    }

    fn clear_table(&mut self) {
        either!(self, pool => pool.clear_table());
    }

    fn search(&mut self, task: Task) {
        let mut listener = task.listener;
        let mut sink = |event: Event<'_, Move>| listener(Report::from(event));
        self.search_in(&task.session, &task.game, &task.allowed, task.lines, task.contempt, &mut sink);
    }

    /// One search in a session that was opened before.
    pub fn search_in(
        &mut self,
        session: &Arc<SearchSession>,
        game: &Game,
        allowed: &[Move],
        lines: usize,
        contempt: i32,
        sink: &mut dyn Sink<Move>,
    ) {
        either!(self, pool => {
            pool.contempt = contempt;
            pool.lines = lines;
            pool.search_in(session, game, allowed, sink);
        });
    }
}

/// One search, as the engine hands it over.
struct Task {
    game: Game,
    allowed: Vec<Move>,
    lines: usize,
    contempt: i32,
    session: Arc<SearchSession>,
    listener: Box<Listener>,
}

type Order = Box<dyn FnOnce(&mut Party) + Send>;

/// Counts orders not yet carried out; whoever waits sleeps.
#[derive(Default)]
struct Busy {
    count: Mutex<usize>,
    changed: Condvar,
}

pub(crate) struct Searcher {
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    busy: Arc<Busy>,
    control: Arc<Control>,
    /// Rung by `stop`: unlike the control's latch it stays rung between the searches of one consultation.
    bell: Arc<Bell>,
    /// The clock of its searches; a virtual one if their time is virtual.
    clock: Arc<dyn Clock>,
    /// Workers, real or virtual.
    workers: usize,
    /// The search begun last.
    session: Option<Arc<SearchSession>>,
}

/// Deep recursion over a large frame; the platform's default for threads is too small to rely on.
const STACK_BYTES: usize = 64 << 20;

impl Searcher {
    /// Fails when the table does not fit or the system gives no thread.
    pub fn new(muster: &Muster, clock: &Arc<dyn Clock>) -> Result<Searcher, OptionError> {
        let mut party = Party::new(muster, Arc::clone(clock))?;
        let control = party.control();
        let (session_clock, workers) = party.terms_of_work();
        let (orders, inbox) = channel::<Order>();
        let busy = Arc::new(Busy::default());
        let finished = Arc::clone(&busy);
        let thread = std::thread::Builder::new()
            .name("search".into())
            .stack_size(STACK_BYTES)
            .spawn(move || {
                while let Ok(order) = inbox.recv() {
                    order(&mut party);
                    *finished.count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
                    finished.changed.notify_all();
                }
            })
            .map_err(|error| OptionError::Failed { name: "Threads", reason: error.to_string() })?;
        Ok(Searcher {
            orders: Some(orders),
            thread: Some(thread),
            busy,
            control,
            bell: Arc::new(Bell::default()),
            clock: session_clock,
            workers,
            session: None,
        })
    }

    fn order(&self, order: impl FnOnce(&mut Party) + Send + 'static) {
        *self.busy.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        if let Some(orders) = &self.orders {
            // The thread ends only when this sender is dropped.
            let _ = orders.send(Box::new(order));
        }
    }

    /// Begins a search. The session is opened here and now, so that a `stop` right behind `go` is not lost.
    pub fn start(&mut self, game: Game, request: Request, settings: &Settings, listener: Box<Listener>) {
        let control = Arc::clone(&self.control);
        let (time, clock) = (settings.time_settings(), Arc::clone(&self.clock));
        let session = Arc::new(SearchSession::begin(control, clock, request.limits, time, self.workers));
        self.session = Some(Arc::clone(&session));
        let task = Task {
            game,
            allowed: request.search_moves,
            lines: settings.lines,
            contempt: settings.evaluation().meant(settings.contempt),
            session,
            listener,
        };
        self.order(move |party| party.search(task));
    }

    /// Begins work that takes several searches; `job` runs on the search's thread.
    pub fn consult(
        &self,
        limits: Limits,
        time: TimeSettings,
        job: impl FnOnce(&mut Consultant<'_>) + Send + 'static,
    ) {
        self.bell.reset();
        let control = Arc::clone(&self.control);
        let clock = Arc::clone(&self.clock);
        let (bell, threads) = (Arc::clone(&self.bell), self.workers);
        let session =
            Arc::new(SearchSession::begin(Arc::clone(&control), Arc::clone(&clock), limits, time, threads));
        self.order(move |party| {
            job(&mut Consultant { party, control, clock, time, threads, bell, session, nodes: 0 });
        });
    }

    /// Changes how the pool works together. Where the system gives fewer threads, fewer work.
    pub fn set_pool_settings(&mut self, settings: SearchPoolSettings) -> Result<(), OptionError> {
        let (answer, reply) = channel();
        self.order(move |party| {
            let result = party.set_pool_settings(settings);
            // Nobody else holds the other end, and it waits below.
            let _ = answer.send((result, party.terms_of_work()));
        });
        self.wait();
        let Ok((result, (clock, workers))) = reply.try_recv() else {
            return Err(no_threads(&std::io::Error::other("the search thread is gone")));
        };
        (self.clock, self.workers) = (clock, workers);
        result.map_err(|error| no_threads(&error))
    }

    /// Workers, real or virtual.
    pub fn workers(&self) -> usize {
        self.workers
    }

    pub fn set_tablebases(&self, tables: Option<Arc<Tablebases>>, settings: TablebaseSettings) {
        self.order(move |party| party.set_tablebases(tables, settings));
        self.wait();
    }

    pub fn clear(&self) {
        self.order(Party::clear);
        self.wait();
    }

    pub fn clear_table(&self) {
        self.order(Party::clear_table);
        self.wait();
    }

    /// What the last search recorded, ply by ply.
    pub fn ply_statistics(&self) -> Option<PlyStatistics> {
        let (sender, answer) = channel();
        self.order(move |party| {
            // Whoever asked is still waiting.
            let _ = sender.send(party.ply_statistics());
        });
        answer.recv().ok().flatten()
    }

    /// What comes next is no plain search: the last one's counts are not its.
    pub fn forget_progress(&mut self) {
        self.session = None;
    }

    /// How far the search begun last has come.
    pub fn progress(&self) -> Option<SearchStatistics> {
        self.session.as_ref().map(|session| session.progress())
    }

    pub fn stop(&self) {
        self.bell.ring();
        self.control.stop();
    }

    pub fn ponder_hit(&self) {
        self.control.ponder_hit(self.clock.now());
    }

    pub fn is_busy(&self) -> bool {
        *self.busy.count.lock().unwrap_or_else(PoisonError::into_inner) > 0
    }

    /// Waits until everything ordered is done.
    pub fn wait(&self) {
        let mut count = self.busy.count.lock().unwrap_or_else(PoisonError::into_inner);
        while *count > 0 {
            count = self.busy.changed.wait(count).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        self.stop();
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The bench of the search crate, with the techniques of this engine.
pub(crate) fn bench(
    techniques: Option<TechniqueSet<Technique>>,
    evaluation: Evaluation,
    depth: i32,
    clock: &Arc<dyn Clock>,
) -> Result<BenchReport, OptionError> {
    let muster = Muster {
        hash_megabytes: 16,
        pool: SearchPoolSettings::default(),
        techniques,
        evaluation,
        parameters: Parameters::default(),
    };
    let mut party = Party::new(&muster, Arc::clone(clock))?;
    Ok(either!(&mut party, pool => search::bench(pool, depth, &mut |_, _| {})))
}

/// Searches each bench position for an equal share of the time.
pub(crate) fn speed_test(
    muster: &Muster,
    time: Duration,
    clock: &Arc<dyn Clock>,
) -> Result<BenchReport, OptionError> {
    let mut party = Party::new(muster, Arc::clone(clock))?;
    let share = time / search::BENCH_POSITIONS.len() as u32;
    let mut report = BenchReport { nodes: 0, time: Duration::ZERO, counters: Counters::default() };
    for fen in search::BENCH_POSITIONS {
        let Ok(position) = Position::from_fen(fen) else { continue };
        let limits = Limits { move_time: Some(share), ..Limits::default() };
        let start = clock.now();
        let counters = either!(&mut party, pool => {
            pool.search(&Game::new(position), &[], limits, &mut |_: Event<'_, Move>| {});
            pool.counters()
        });
        report.time += clock.now().saturating_sub(start);
        report.nodes += counters[Count::Nodes];
        report.counters += counters;
    }
    Ok(report)
}
