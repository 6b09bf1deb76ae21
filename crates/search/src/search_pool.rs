//! The search pool: workers, transposition table, clock and stop control. One per engine.

use crate::cluster::{PeerSearch, Peers, rank_among_peers, virtual_cluster};
use crate::parameters::Parameters;
use crate::phase::PhaseProbe;
use crate::ply_statistics::PlyStatistics;
use crate::pool_settings::SearchPoolSettings;
use crate::tablebases::{TablebaseSettings, Tablebases};
use crate::team::Scheduler;
use crate::technique::Technique;
use crate::worker::{Shared, Worker};
use crate::worker_set::{CompiledPolicy, WorkerSet, Workers, each};
use chess::{Game, Move};
use eval::Evaluator;
use kernel::counters::Counters;
use kernel::driver::{Plan, conclude};
use kernel::sched::{
    Abdada, CurrentlySearching, Parallel, Ranks, Solo, ThreadPool, Timeline, helper_plan, workers_that_fit,
    ybwc_teams,
};
use kernel::table::TableTooLarge;
use kernel::time::TimeSettings;
use kernel::{Clock, Control, Event, Limits, Outcome, Policy, SearchSession, Sink, Table};
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Workers that search together.
pub struct SearchPool<P> {
    policy: P,
    shared: Arc<Shared>,
    /// The tables of the other ranks of a virtual cluster.
    rank_tables: Vec<Arc<Shared>>,
    peers: Option<Arc<dyn Peers>>,
    workers: WorkerSet<P>,
    thread_pool: ThreadPool,
    pool_settings: SearchPoolSettings,
    timeline: Option<Arc<Timeline>>,
    control: Arc<Control>,
    clock: Arc<dyn Clock>,
    session: Arc<SearchSession>,
    /// A worker panicked in the last search.
    failed: bool,
    make_evaluator: Box<dyn Fn() -> Evaluator + Send + Sync>,
    tablebases: Option<Arc<Tablebases>>,
    tablebase_settings: TablebaseSettings,
    /// How time is kept.
    pub settings: TimeSettings,
    /// Lines to report.
    pub lines: usize,
    /// Contempt: how much less than 0 a draw is worth to the side that searches, in centipawns.
    pub contempt: i32,
}

impl<P: CompiledPolicy> SearchPool<P> {
    /// One worker and a table of so many megabytes.
    pub fn new(policy: P, megabytes: usize, clock: Arc<dyn Clock>) -> Result<Self, TableTooLarge> {
        let shared = Arc::new(Shared::new(Table::new(megabytes)?));
        let control = Arc::new(Control::new());
        let settings = TimeSettings::default();
        let session = SearchSession::begin(
            Arc::clone(&control),
            Arc::clone(&clock),
            Limits::nodes(0),
            settings.clone(),
            1,
        );
        let mut pool = Self {
            policy,
            shared,
            rank_tables: Vec::new(),
            peers: None,
            workers: WorkerSet::Solo(Vec::new()),
            thread_pool: ThreadPool::default(),
            pool_settings: SearchPoolSettings::default(),
            timeline: None,
            control,
            clock,
            session: Arc::new(session),
            failed: false,
            make_evaluator: Box::new(Evaluator::default),
            tablebases: None,
            tablebase_settings: TablebaseSettings::default(),
            settings,
            lines: 1,
            contempt: 0,
        };
        pool.renew_workers();
        Ok(pool)
    }

    /// The control of this pool's searches: keep a clone to stop them from another thread.
    pub fn control(&self) -> Arc<Control> {
        Arc::clone(&self.control)
    }

    /// The clock that its searches go by: a virtual one if its time is virtual.
    pub fn clock(&self) -> Arc<dyn Clock> {
        match &self.timeline {
            Some(timeline) => Arc::clone(timeline) as Arc<dyn Clock>,
            None => Arc::clone(&self.clock),
        }
    }

    /// What the workers share.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Number of workers.
    pub fn threads(&self) -> usize {
        each!(&self.workers, workers => workers.len())
    }

    /// The pool's settings.
    pub fn pool_settings(&self) -> &SearchPoolSettings {
        &self.pool_settings
    }

    /// Changes the number of workers; at least one stays. Fails when the system gives no thread: then there are as many
    /// workers as it gave.
    pub fn set_threads(&mut self, threads: usize) -> io::Result<()> {
        self.set_pool_settings(SearchPoolSettings { threads, ..self.pool_settings })
    }

    /// Changes the pool's settings. Histories are cleared, unless only the number of workers changes.
    pub fn set_pool_settings(&mut self, settings: SearchPoolSettings) -> io::Result<()> {
        let mut settings = SearchPoolSettings { threads: settings.threads.max(1), ..settings };
        self.thread_pool.set_pinned(settings.pinned);
        let threads = if settings.virtual_time.is_some() { 0 } else { settings.threads - 1 };
        let mut resized = self.thread_pool.resize_to_fit(threads, WORKER_BYTES);
        let fitting = match settings.virtual_time {
            Some(_) => workers_that_fit(settings.workers(), WORKER_BYTES),
            None => self.thread_pool.len() + 1,
        };
        if fitting < settings.workers() {
            settings.limit_workers(fitting);
            resized = resized.and(Err(io::ErrorKind::OutOfMemory.into()));
        }
        self.timeline = settings.virtual_time.map(|virtual_time| Arc::new(Timeline::new(virtual_time)));
        let old = std::mem::replace(&mut self.pool_settings, settings);
        match &mut self.workers {
            // Workers that share no histories keep theirs.
            WorkerSet::Solo(workers)
                if old.ranks().len() == 1
                    && settings.ranks().len() == 1
                    && (settings.parallel == Parallel::Lazy && old.parallel == Parallel::Lazy
                        || settings.workers() == 1 && !workers.is_empty()) =>
            {
                let (policy, shared, session) = (self.policy, &self.shared, &self.session);
                let make = &self.make_evaluator;
                workers.resize_with(settings.workers(), || {
                    Box::new(Worker::new(policy, Solo, Arc::clone(shared), make(), Arc::clone(session)))
                });
            }
            _ => self.renew_workers(),
        }
        if self.rank_tables.len() + 1 < self.pool_settings.ranks().len() {
            self.pool_settings.virtual_ranks = self.rank_tables.len() + 1;
            self.renew_workers();
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        resized
    }

    /// Changes the size of the table and clears the histories. The old table is freed first. On failure the table is empty
    /// and has its old size, or the smallest if even that is no longer to be had.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TableTooLarge> {
        if self.shared.table.megabytes() == megabytes {
            return Ok(());
        }
        let mut table = self.take_table();
        let result = table.resize(megabytes);
        self.adopt(Shared::with_parameters(table, self.shared.parameters.clone()));
        result
    }

    /// Changes the search's parameters, and clears table and histories.
    pub fn set_parameters(&mut self, parameters: Parameters) {
        self.clear_table();
        let table = self.take_table();
        self.adopt(Shared::with_parameters(table, parameters));
    }

    /// The table, out of the hands of the workers, who are gone; the caller gives it back by [`SearchPool::adopt`].
    fn take_table(&mut self) -> Table {
        self.workers = WorkerSet::Solo(Vec::new());
        let shared = Arc::get_mut(&mut self.shared);
        shared.map_or_else(Table::default, |shared| std::mem::take(&mut shared.table))
    }

    /// Changes the evaluation, and clears table and histories.
    pub fn set_evaluator(&mut self, make: impl Fn() -> Evaluator + Send + Sync + 'static) {
        self.make_evaluator = Box::new(make);
        self.clear_table();
        self.renew_workers();
    }

    fn adopt(&mut self, shared: Shared) {
        self.shared = Arc::new(shared);
        self.renew_workers();
    }

    /// New workers, as the settings want them.
    fn renew_workers(&mut self) {
        let settings = self.pool_settings;
        let count = settings.workers();
        // The old ones go first: two sets may not fit.
        self.workers = WorkerSet::Solo(Vec::new());
        self.renew_rank_tables();
        let way = if count == 1 { Parallel::Lazy } else { settings.parallel };
        self.workers = match way {
            Parallel::Lazy => WorkerSet::Solo(self.make_workers(vec![Solo; count])),
            Parallel::Ybwc | Parallel::Teams => {
                WorkerSet::Ybwc(self.make_workers(ybwc_teams(settings.teams(), settings.split)))
            }
            Parallel::Abdada => {
                let team = |members: Range<usize>| {
                    let marks = Arc::new(CurrentlySearching::new(settings.defer_depth));
                    members.map(move |_| Abdada::new(Arc::clone(&marks)))
                };
                WorkerSet::Abdada(self.make_workers(settings.teams().flat_map(team).collect()))
            }
        };
    }

    /// Empty tables for the virtual ranks after the first, as many as fit.
    fn renew_rank_tables(&mut self) {
        self.rank_tables.clear();
        let megabytes = self.shared.table.megabytes();
        let table = |_| {
            let table = Table::new(megabytes).ok()?;
            Some(Arc::new(Shared::with_parameters(table, self.shared.parameters.clone())))
        };
        self.rank_tables = (1..self.pool_settings.ranks().len()).map_while(table).collect();
    }

    /// The tables of all ranks here.
    fn tables(&self) -> impl Iterator<Item = &Arc<Shared>> {
        std::iter::once(&self.shared).chain(&self.rank_tables)
    }

    fn make_workers<S: Scheduler>(&self, schedulers: Vec<S>) -> Workers<P, S> {
        let ranks: Vec<_> = self.pool_settings.ranks().collect();
        let worker = |(number, scheduler)| {
            let rank = ranks.iter().position(|rank| rank.contains(&number)).unwrap_or_default();
            let shared = Arc::clone(self.tables().nth(rank).unwrap_or(&self.shared));
            let session = Arc::clone(&self.session);
            Box::new(Worker::new(self.policy, scheduler, shared, (self.make_evaluator)(), session))
        };
        let mut workers: Workers<P, S> = schedulers.into_iter().enumerate().map(worker).collect();
        for group in self.pool_settings.history_groups() {
            share_histories(&mut workers[group]);
        }
        workers
    }

    /// Changes the endgame tables, and when they are asked; `None` does without.
    pub fn set_tablebases(&mut self, tables: Option<Arc<Tablebases>>, settings: TablebaseSettings) {
        self.tablebases = tables;
        self.tablebase_settings = settings;
    }

    /// Searches with these other processes from now on; `None` searches alone. A search in virtual time is always alone.
    pub fn set_peers(&mut self, peers: Option<Arc<dyn Peers>>) {
        self.peers = peers;
    }

    /// A new game: clears table, histories and evaluation caches.
    pub fn clear(&mut self) {
        self.clear_table();
        each!(&mut self.workers, workers => workers.iter_mut().for_each(|worker| worker.clear()));
    }

    /// Clears the table alone.
    pub fn clear_table(&self) {
        self.tables().for_each(|shared| shared.table.clear(self.thread_pool.len() + 1));
    }

    /// What the last iteration of the first worker did, ply by ply; recorded in the lab only.
    pub fn ply_statistics(&self) -> PlyStatistics {
        each!(&self.workers, workers => workers.first().map(|worker| worker.ply_statistics.clone()))
            .unwrap_or_default()
    }

    /// The phase of the first worker; kept up to date under the policy `Lab` only.
    pub fn phase_probe(&self) -> PhaseProbe {
        each!(&self.workers, workers => workers.first().map(|worker| worker.phase_probe.clone()))
            .unwrap_or_default()
    }

    /// Did a worker panic in the last search? Then its result is whatever was known.
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    /// What the last search counted, summed over the workers.
    pub fn counters(&self) -> Counters {
        self.session.counters()
    }

    /// Searches the game's present position; `allowed` empty means every legal move. Gives the best move to the sink as soon
    /// as it is known, and returns when all workers are back.
    pub fn search(
        &mut self,
        game: &Game,
        allowed: &[Move],
        mut limits: Limits,
        sink: &mut dyn Sink<Move>,
    ) -> Outcome<Move> {
        limits.ply = game.position().ply();
        let session = SearchSession::begin(
            Arc::clone(&self.control),
            self.clock(),
            limits,
            self.settings.clone(),
            self.threads(),
        );
        self.search_in(&Arc::new(session), game, allowed, sink)
    }

    /// As [`SearchPool::search`], in a session that was opened before: a caller that gives the search to another thread opens it
    /// first (on this pool's control and clock), so that an order to stop cannot overtake the search.
    pub fn search_in(
        &mut self,
        session: &Arc<SearchSession>,
        game: &Game,
        allowed: &[Move],
        sink: &mut dyn Sink<Move>,
    ) -> Outcome<Move> {
        self.session = Arc::clone(session);
        self.tables().for_each(|shared| shared.table.new_search());
        let uses = |technique| self.policy.uses(technique);
        let mut plan = Plan {
            lines: self.lines,
            aspiration: uses(Technique::Aspiration).then_some(self.shared.parameters.aspiration),
            deepen: uses(Technique::Deepening) || session.limits().depth.is_none(),
            relaxed_plies: self.shared.parameters.aspiration_reduction,
            ahead: 0,
        };
        each!(&mut self.workers, workers => for (number, worker) in workers.iter_mut().enumerate() {
            worker.tablebases.clone_from(&self.tablebases);
            worker.tablebase_settings = self.tablebase_settings;
            worker.contempt = self.contempt;
            worker.begin(game, allowed, Arc::clone(session), number);
        });
        let peers = self.peers.clone().filter(|_| self.timeline.is_none());
        let ranks = self.prepare_ranks(peers.as_deref(), &mut plan, session, game, allowed);
        let (thread_pool, timeline) = (&mut self.thread_pool, self.timeline.as_ref());
        let searched = P::search(&mut self.workers, &plan, thread_pool, timeline, &ranks, sink);
        if let Some(peers) = &peers {
            peers.end();
        }
        each!(&mut self.workers, workers => workers.iter_mut().for_each(|worker| worker.outbox = None));
        self.failed = searched.is_none() || self.threads() != self.pool_settings.workers();
        let is_concluded = searched.as_ref().is_some_and(|end| !end.has_failed);
        let outcome = if let Some(end) = searched {
            end.outcome
        } else {
            // A worker failed: what it left behind is not to be trusted.
            self.renew_workers();
            let first = allowed.first().copied().or_else(|| game.position().legal_moves().first().copied());
            Outcome { best: first, ..Outcome::default() }
        };
        if self.threads() != self.pool_settings.workers() {
            self.renew_workers();
        }
        if !is_concluded {
            sink.event(Event::Failed);
            conclude(&outcome, sink);
        }
        outcome
    }
}

impl<P: CompiledPolicy> SearchPool<P> {
    /// Connects this search with those of other ranks, virtual ones or other processes.
    fn prepare_ranks(
        &mut self,
        peers: Option<&dyn Peers>,
        plan: &mut Plan,
        session: &SearchSession,
        game: &Game,
        allowed: &[Move],
    ) -> Ranks<Move> {
        let settings = &self.pool_settings;
        let (ranks, outboxes) = if let Some(peers) = peers {
            let (ranks, rank, outboxes) = rank_among_peers(settings, &self.shared, game, allowed);
            if peers.number() > 0 {
                *plan = helper_plan(plan, peers.number());
            }
            let depth = session.limits().depth;
            peers.begin(&PeerSearch { game, allowed, depth }, rank);
            (ranks, outboxes)
        } else if self.rank_tables.is_empty() {
            return Ranks::default();
        } else {
            let tables: Vec<_> = self.tables().cloned().collect();
            virtual_cluster(settings, &tables, game, allowed)
        };
        each!(&mut self.workers, workers => for (worker, outbox) in workers.iter_mut().zip(outboxes) {
            worker.outbox = outbox;
        });
        ranks
    }
}

/// Memory that a worker needs at most: histories, corrections, stack, lines and accumulators.
const WORKER_BYTES: usize = 8 << 20;

/// All these workers use the histories of the first.
fn share_histories<P: Policy<Technique>, S: Scheduler>(workers: &mut [Box<Worker<P, S>>]) {
    if let Some((first, others)) = workers.split_first_mut() {
        for other in others {
            other.share_histories(first);
        }
    }
}
