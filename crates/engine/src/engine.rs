//! The facade: a game, options, and searches.

use crate::bench::{self, Effort};
use crate::cluster::Cluster;
use crate::fault::{Fault, catch};
use crate::options::error::OptionError;
use crate::options::{self, spec::Effect};
use crate::perft;
use crate::play_mode::turn::{Reports, Turn, play_turn};
use crate::play_mode::turn_search::TurnSearch;
use crate::play_mode::{PlayMode, PlayModes};
use crate::policy_pool::{PolicyPool, PoolHandle, PoolSetup};
use crate::report::{Listener, Report};
use crate::request::Request;
use crate::search_thread::{Interrupter, SearchThread};
use crate::settings::Settings;
use crate::stop_signal::StopSignal;
use chess::polyglot::Book;
use chess::{Game, Move};
use common::{Random, entropy_seed};
use eval::Evaluation;
use kernel::{Clock, Score, SearchSession, SearchStatistics};
use search::{BenchReport, Parameters, Peers, PlyStatistics, SearchPoolSettings, Tablebases};
use std::sync::Arc;
use std::time::Duration;

pub struct Engine {
    clock: Arc<dyn Clock>,
    settings: Settings,
    game: Game,
    search_thread: SearchThread,
    /// The search's parameters changed since the last search.
    has_new_parameters: bool,
    book: Option<Book>,
    tablebases: Option<Arc<Tablebases>>,
    play_modes: PlayModes,
    /// Engines in other processes that follow this one.
    cluster: Option<Arc<dyn Cluster>>,
    /// Other processes that search the same positions.
    peers: Option<Arc<dyn Peers>>,
    /// The session of the last search, if it was a normal one.
    session: Option<Arc<SearchSession>>,
    /// Draws book moves and moves of the human-like player: from entropy, or repeatably from a seed.
    random: Random,
}

/// A table this large takes a while to allocate; the user is told how long it took.
const LONG_RESIZE: Duration = Duration::from_millis(500);

/// The random stream of a seed; of the system's entropy for seed 0.
fn stream(seed: u64) -> Random {
    Random::new(if seed == 0 { entropy_seed() } else { seed })
}

impl Engine {
    /// An engine with default options, at the start of a game.
    pub fn new(clock: Arc<dyn Clock>) -> Result<Engine, OptionError> {
        Engine::with_settings(clock, Settings::default())
    }

    pub fn with_settings(clock: Arc<dyn Clock>, settings: Settings) -> Result<Engine, OptionError> {
        let search_thread = SearchThread::new(&settings.pool_setup(), &clock)?;
        let random = stream(settings.random_seed);
        Ok(Engine {
            clock,
            settings,
            game: Game::default(),
            search_thread,
            has_new_parameters: false,
            book: None,
            tablebases: None,
            play_modes: PlayModes::default(),
            cluster: None,
            peers: None,
            session: None,
            random,
        })
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The injected clock's reading.
    pub fn now(&self) -> Duration {
        self.clock.now()
    }

    /// From now on engines in other processes search with this one.
    pub fn set_cluster(&mut self, cluster: Arc<dyn Cluster>) -> Result<(), OptionError> {
        self.cluster = Some(Arc::clone(&cluster));
        self.set_peers(cluster)
    }

    /// Searches with these other processes from now on, as one that follows.
    pub fn set_peers(&mut self, peers: Arc<dyn Peers>) -> Result<(), OptionError> {
        self.peers = Some(peers);
        self.hand_over_peers()
    }

    fn hand_over_peers(&mut self) -> Result<(), OptionError> {
        self.finish();
        let peers = self.peers.clone();
        self.search_thread.change("peers", move |pool| {
            pool.set_peers(peers);
            Ok(())
        })
    }

    /// Sets the position to search next. Takes effect with the next `go`.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// Forgets the last game. On failure the engine goes on with what it has; its table may be half cleared.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.finish();
        self.play_modes.new_game();
        if let Some(cluster) = &self.cluster {
            cluster.new_game();
        }
        self.game = Game::default();
        // With a seed every game repeats, not only the first.
        if self.settings.random_seed != 0 {
            self.random = stream(self.settings.random_seed);
        }
        self.search_thread.ask("the clearing of the table", PolicyPool::clear)
    }

    /// Sets one option by name, case aside. A running search is ended first if the option needs it to be. Something
    /// worth saying about it comes back as text.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Option<String>, OptionError> {
        let mut settings = self.settings.clone();
        let effect = options::set(&mut settings, name, value)?;
        let note = self.carry_out(effect, settings)?;
        if let Some(cluster) = self.cluster.as_ref().filter(|_| effect.concerns_peers()) {
            cluster.set_option(name, value);
        }
        Ok(note)
    }

    /// Makes the new settings hold. On failure the old ones stay, or what the system gave.
    fn carry_out(&mut self, effect: Effect, settings: Settings) -> Result<Option<String>, OptionError> {
        let mut note = None;
        match effect {
            Effect::None | Effect::PeersToo => {}
            Effect::ForgetOpponent => self.play_modes.forget_opponent(),
            Effect::Reseed => self.random = stream(settings.random_seed),
            Effect::SetParameters => self.has_new_parameters = true,
            Effect::ClearTable => {
                self.finish();
                self.search_thread
                    .ask("the clearing of the table", PolicyPool::clear_table)
                    .map_err(|fault| OptionError::failed("Clear Hash", fault))?;
            }
            Effect::ResizeTable => note = self.resize_table(settings.hash_megabytes)?,
            Effect::ConfigureThreads => return self.configure_threads(settings).map(|()| None),
            Effect::SetEvaluation => {
                self.finish();
                let evaluation = settings.evaluation();
                self.search_thread.change("Evaluation", move |pool| {
                    pool.set_evaluation(evaluation);
                    Ok(())
                })?;
            }
            Effect::RebuildPool => self.rebuild_pool(&settings)?,
            Effect::OpenBook => {
                self.book = settings.book_file.as_ref().map(open_book).transpose()?;
            }
            Effect::OpenTablebases => {
                let tables = open_tablebases(&settings.syzygy_path)?;
                note = tables.as_ref().map(|tables| found_tables(tables));
                self.tablebases = tables;
                self.hand_over_tablebases(&settings)?;
            }
            Effect::ConfigureTablebases => self.hand_over_tablebases(&settings)?,
            Effect::LoadReplyNetwork => self.play_modes.load_network(settings.human_weights.as_deref())?,
        }
        self.settings = settings;
        Ok(note)
    }

    fn resize_table(&mut self, megabytes: usize) -> Result<Option<String>, OptionError> {
        self.finish();
        let start = self.clock.now();
        let resized = self.search_thread.change("Hash", move |pool| {
            let result = pool.resize(megabytes);
            Ok((result, pool.hash_megabytes()))
        });
        let (result, size) = resized?;
        if let Err(error) = result {
            self.settings.hash_megabytes = size.max(1);
            return Err(error);
        }
        let took = self.clock.now().saturating_sub(start);
        Ok((took >= LONG_RESIZE)
            .then(|| format!("Hash: {megabytes} MB allocated in {:.1} s", took.as_secs_f64())))
    }

    /// Changes how the workers search together; on failure the settings show what the system gave.
    fn configure_threads(&mut self, mut settings: Settings) -> Result<(), OptionError> {
        self.finish();
        let workers = settings.pool_settings();
        let result = self.search_thread.change("Threads", move |pool| pool.configure(workers));
        if settings.virtual_threads == 0 {
            settings.threads = self.search_thread.pool().workers;
        }
        self.settings = settings;
        result
    }

    /// A new pool; if it cannot be made, the old one stays.
    fn rebuild_pool(&mut self, settings: &Settings) -> Result<(), OptionError> {
        self.finish();
        let (setup, clock) = (settings.pool_setup(), Arc::clone(&self.clock));
        self.search_thread.change("Techniques", move |pool| {
            *pool = PolicyPool::new(&setup, clock)?;
            Ok(())
        })?;
        self.has_new_parameters = false;
        self.hand_over_peers()?;
        self.hand_over_tablebases(settings)
    }

    fn hand_over_tablebases(&mut self, settings: &Settings) -> Result<(), OptionError> {
        self.finish();
        let (tables, settings) = (self.tablebases.clone(), settings.tablebases);
        self.search_thread.change("SyzygyPath", move |pool| {
            pool.set_tablebases(tables, settings);
            Ok(())
        })
    }

    /// Starts a search; its reports go to `listener`, the last of them exactly one [`Report::Best`].
    ///
    /// A search still running is ended and waited for.
    pub fn go(&mut self, mut request: Request, mut listener: Box<Listener>) {
        self.finish();
        self.session = None;
        if let Err(error) = self.hand_over_parameters() {
            listener(Report::Remark(error.to_string()));
        }
        if let Some(mv) = self.book_move(&request) {
            listener(Report::Best { best: Some(mv), ponder: None });
            return;
        }
        let mut reports = Reports::new(in_shown_units(self.settings.evaluation(), listener));
        let (mode, player) = self.play_modes.player(&self.settings, &request);
        let time = self.settings.time_settings();
        request.limits.ply = self.game.position().ply();
        let session = self.search_thread.open_session(request.limits.clone(), time.clone());
        if mode == PlayMode::Normal {
            self.session = Some(Arc::clone(&session));
        }
        let PoolHandle { control, clock, workers } = self.search_thread.pool().clone();
        let stop = self.search_thread.stop_signal();
        let evaluation = self.settings.evaluation();
        let turn = Turn { game: self.game.clone(), request, seed: self.random.next_u64() };
        self.search_thread.order(move |pool| {
            let has_failed = false;
            let mut search = TurnSearch {
                pool,
                evaluation,
                control,
                clock,
                time,
                workers,
                stop,
                session,
                nodes: 0,
                has_failed,
            };
            play_turn(player, &turn, &mut search, &mut reports);
        });
    }

    fn hand_over_parameters(&mut self) -> Result<(), OptionError> {
        if !self.has_new_parameters {
            return Ok(());
        }
        self.has_new_parameters = false;
        let parameters = self.settings.parameters.clone();
        self.search_thread.change("parameters", move |pool| {
            pool.set_parameters(parameters);
            Ok(())
        })
    }

    fn book_move(&mut self, request: &Request) -> Option<Move> {
        let searching_freely =
            request.search_moves.is_empty() && !request.limits.infinite && !request.limits.ponder;
        if !self.settings.own_book || self.settings.analyse_mode || !searching_freely {
            return None;
        }
        let random = self.random.next_u64();
        // A book that fails to read in mid-game is no reason not to play: the search takes over.
        self.book.as_mut()?.pick(self.game.position(), random).ok().flatten()
    }

    /// What the last search did at each distance from the root; recorded only while [`Settings::techniques`] is set.
    pub fn ply_statistics(&self) -> Option<PlyStatistics> {
        self.search_thread.ask("the statistics", |pool| pool.ply_statistics()).ok().flatten()
    }

    /// Asks the running search, perft or bench to end; it reports its result as soon as it has noticed.
    pub fn stop(&self) {
        self.search_thread.stop();
    }

    /// Stops searches, or tells of a `ponderhit`, where nobody can reach the engine: it searches on the caller's thread
    /// when the system has no others. Good until the next change of an option.
    pub fn interrupter(&self) -> Interrupter {
        self.search_thread.interrupter()
    }

    /// The pondered move was played.
    pub fn ponder_hit(&self) {
        self.search_thread.ponder_hit();
    }

    pub fn is_searching(&self) -> bool {
        self.search_thread.is_busy()
    }

    /// The progress of the last search while it runs: nodes, time, and how its workers share. `None` where the answer
    /// is not one normal search: a book's move, or a play mode with several searches.
    pub fn progress(&self) -> Option<SearchStatistics> {
        self.session.as_ref().map(|session| session.progress())
    }

    /// Waits for the running search to end by itself.
    pub fn wait(&self) {
        self.search_thread.wait();
    }

    /// Ends the running search and waits until its last report is out.
    pub fn finish(&self) {
        if self.is_searching() {
            self.search_thread.stop();
            self.search_thread.wait();
        }
    }

    /// Counts the leaves below each legal move on the search thread and hands them to `done`; `None` when stopped.
    pub fn start_perft(
        &mut self,
        depth: u32,
        done: impl FnOnce(Result<Option<Vec<(Move, u64)>>, Fault>) + Send + 'static,
    ) {
        let position = self.game.position().clone();
        let depth = depth.clamp(1, perft::MAX_PERFT_DEPTH);
        self.start_task("perft", move |stop| perft::divide(&position, depth, stop), done);
    }

    /// Searches the fixed set of positions with a small table and one thread; its node count identifies the build.
    pub fn bench(&self, depth: i32) -> Result<BenchReport, OptionError> {
        let report =
            bench::run(&self.bench_setup(), Effort::Depth(depth), &self.clock, &StopSignal::default())?;
        report.ok_or_else(|| OptionError::failed("bench", "stopped"))
    }

    /// [`Engine::bench`] on the search thread; `None` when stopped.
    pub fn start_bench(
        &mut self,
        depth: i32,
        done: impl FnOnce(Result<Option<BenchReport>, Fault>) + Send + 'static,
    ) {
        self.start_set("bench", self.bench_setup(), Effort::Depth(depth), done);
    }

    /// Nodes per second over a longer run: each bench position in turn for its share of the time.
    pub fn start_speed_test(
        &mut self,
        threads: usize,
        hash_megabytes: usize,
        time: Duration,
        done: impl FnOnce(Result<Option<BenchReport>, Fault>) + Send + 'static,
    ) {
        let workers = SearchPoolSettings { threads, virtual_time: None, ..self.settings.pool_settings() };
        let setup = PoolSetup { hash_megabytes, workers, ..self.settings.pool_setup() };
        self.start_set("the speed test", setup, Effort::Time(time), done);
    }

    fn bench_setup(&self) -> PoolSetup {
        PoolSetup {
            hash_megabytes: 16,
            workers: SearchPoolSettings::default(),
            parameters: Parameters::default(),
            ..self.settings.pool_setup()
        }
    }

    fn start_set(
        &mut self,
        what: &'static str,
        setup: PoolSetup,
        effort: Effort,
        done: impl FnOnce(Result<Option<BenchReport>, Fault>) + Send + 'static,
    ) {
        let clock = Arc::clone(&self.clock);
        self.start_task(
            what,
            move |stop| bench::run(&setup, effort, &clock, stop),
            move |result| {
                let refused = |error: OptionError| Fault { what, reason: error.to_string() };
                done(result.and_then(|report| report.map_err(refused)));
            },
        );
    }

    /// Does `work` on the search thread, where `stop` reaches it.
    fn start_task<T>(
        &mut self,
        what: &'static str,
        work: impl FnOnce(&StopSignal) -> T + Send + 'static,
        done: impl FnOnce(Result<T, Fault>) + Send + 'static,
    ) {
        self.finish();
        self.session = None;
        let stop = self.search_thread.stop_signal();
        stop.reset();
        self.search_thread.order(move |_| done(catch(what, || work(&stop))));
    }

    /// The static evaluation of the present position, term by term.
    pub fn describe_evaluation(&self) -> String {
        let position = self.game.position();
        let text = eval::hce::Breakdown::new(position, &eval::hce::Weights::default()).to_string();
        if let Some(network) = &self.settings.network
            && !position.in_check()
        {
            let evaluation = self.settings.evaluation();
            let score = evaluation.shown(evaluation.evaluator().evaluate(position, 0));
            let white = if position.turn() == chess::Color::White { score } else { -score };
            let (neurons, checksum) = (network.hidden(), network.checksum());
            let line = format!("The network ({neurons} neurons, {checksum:08x}) decides: {white} for White");
            return format!("{text}\n{line}\n");
        }
        text
    }
}

/// Everything a search tells leaves in the same units, whatever the evaluation: a hundred centipawns on move 32 win as often
/// as not.
pub(crate) fn in_shown_units(evaluation: Evaluation, mut listener: Box<Listener>) -> Box<Listener> {
    Box::new(move |mut report| {
        if let Report::Information(information) = &mut report
            && information.score.is_heuristic()
        {
            information.score = Score::centipawns(evaluation.shown(information.score.value()).value());
        }
        listener(report);
    })
}

fn open_book(path: impl AsRef<std::path::Path>) -> Result<Book, OptionError> {
    let path = path.as_ref();
    Book::open(path).map_err(|error| OptionError::failed("BookFile", format!("{}: {error}", path.display())))
}

/// A path without a single table is a mistake worth telling.
fn open_tablebases(path: &str) -> Result<Option<Arc<Tablebases>>, OptionError> {
    if path.is_empty() {
        return Ok(None);
    }
    let tables = Tablebases::open(path).map_err(|error| OptionError::failed("SyzygyPath", error))?;
    if tables.files() == 0 {
        return Err(OptionError::failed("SyzygyPath", format!("{path}: no Syzygy table there")));
    }
    Ok(Some(Arc::new(tables)))
}

fn found_tables(tables: &Tablebases) -> String {
    format!("SyzygyPath: {} table files found, up to {} pieces", tables.files(), tables.max_pieces())
}
