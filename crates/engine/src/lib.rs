//! The engine as programs see it: a game, options, and searches that can be started, stopped and listened to.
//!
//! No text of any protocol, no standard streams, no wall clock: a [`Clock`] is injected, so that tests, virtual time and
//! several engines in one process all use the same code.

mod bell;
mod consultant;
mod evaluation;
mod manner;
mod opponent;
mod options;
mod parallel;
mod report;
mod request;
mod searcher;
mod settings;
mod techniques;

pub use kernel::{Clock, SearchStatistics};
pub use manner::Speculative;
pub use opponent::Opponent;
pub use options::{OptionError, OptionKind, OptionSpec, OptionTable};
pub use report::{Information, Listener, Report};
pub use request::Request;
pub use search::{BENCH_DEPTH, BenchReport, PlyCounts, PlyStatistics};
pub use settings::Settings;

use chess::polyglot::Book;
use chess::{Game, Move};
use eval::Evaluation;
use kernel::Score;
use search::{SearchPoolSettings, Tablebases};
use searcher::{Muster, Searcher};
use std::sync::Arc;
use std::time::Duration;

pub struct Engine {
    clock: Arc<dyn Clock>,
    settings: Settings,
    game: Game,
    searcher: Searcher,
    /// The settings ask for another pool than the present one: it is made once, when the next search begins, however many
    /// of the search's numbers a tuner sets before.
    is_pool_outdated: bool,
    book: Option<Book>,
    tablebases: Option<Arc<Tablebases>>,
    /// What it takes to play against people: the model, what is known of the opponent.
    manners: manner::Manners,
    /// Draws book moves and weak moves; stepped by each use, never by the clock, so that runs repeat.
    random: u64,
}

impl Engine {
    /// An engine with default options, at the start of a game.
    pub fn new(clock: Arc<dyn Clock>) -> Result<Engine, OptionError> {
        Engine::with_settings(clock, Settings::default())
    }

    pub fn with_settings(clock: Arc<dyn Clock>, settings: Settings) -> Result<Engine, OptionError> {
        let searcher = Searcher::new(&settings.muster(), &clock)?;
        Ok(Engine {
            clock,
            settings,
            game: Game::default(),
            searcher,
            is_pool_outdated: false,
            book: None,
            tablebases: None,
            manners: manner::Manners::default(),
            random: 0x7461_6269_7961,
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

    /// Sets the position to search next. Takes effect with the next `go`.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// Forgets everything learnt in the last game.
    pub fn new_game(&mut self) {
        self.finish();
        self.manners.new_game();
        self.game = Game::default();
        self.searcher.clear();
    }

    /// Forgets the table alone.
    pub fn clear_table(&mut self) {
        self.finish();
        self.searcher.clear_table();
    }

    /// Sets one option by name, case aside. A running search is ended first if the option needs it to be.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        options::set(self, name, value)
    }

    /// Starts a search; its reports go to `listener`, the last of them exactly one [`Report::Best`].
    ///
    /// A search still running is ended and waited for.
    pub fn go(&mut self, request: Request, mut listener: Box<Listener>) {
        self.finish();
        if self.is_pool_outdated
            && let Err(error) = self.rebuild(self.settings.clone())
        {
            listener(Report::Remark(format!("{error}; the search goes on with its old numbers")));
        }
        let mut listener = in_shown_units(self.settings.evaluation(), listener);
        self.searcher.forget_progress();
        if let Some(mv) = self.book_move(&request) {
            listener(Report::Best { best: Some(mv), ponder: None });
            return;
        }
        let seed = self.next_random();
        let manner = self.manners.of(&self.settings, &request);
        let time = self.settings.time_settings();
        match manner {
            manner::Manner::Plain => {
                self.searcher.start(self.game.clone(), request, &self.settings, listener);
            }
            manner::Manner::Human(way) => {
                let limits = request.limits.clone();
                let turn = manner::Turn { game: self.game.clone(), request, seed };
                self.searcher.consult(limits, time, move |consultant| way.play(&turn, consultant, listener));
            }
        }
    }

    fn book_move(&mut self, request: &Request) -> Option<Move> {
        let searching_freely =
            request.search_moves.is_empty() && !request.limits.infinite && !request.limits.ponder;
        if !self.settings.own_book || self.settings.analyse_mode || !searching_freely {
            return None;
        }
        let random = self.next_random();
        // A book that fails to read in mid-game is no reason not to play: the search takes over.
        self.book.as_mut()?.pick(self.game.position(), random).ok().flatten()
    }

    /// xorshift64* (Vigna 2016).
    fn next_random(&mut self) -> u64 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        self.random.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// What the last search did at each distance from the root; recorded only while [`Settings::techniques`] is set.
    pub fn ply_statistics(&self) -> Option<PlyStatistics> {
        self.searcher.ply_statistics()
    }

    /// Asks the running search to end; it reports its best move as soon as it has noticed.
    pub fn stop(&self) {
        self.searcher.stop();
    }

    /// The pondered move was played.
    pub fn ponder_hit(&self) {
        self.searcher.ponder_hit();
    }

    pub fn is_searching(&self) -> bool {
        self.searcher.is_busy()
    }

    /// A look at the search begun last while it runs: nodes, time, and how its workers share. `None` where the answer
    /// is not one plain search: a book's move, or a human manner's several searches.
    pub fn progress(&self) -> Option<SearchStatistics> {
        self.searcher.progress()
    }

    /// Waits for the running search to end by itself.
    pub fn wait(&self) {
        self.searcher.wait();
    }

    /// Ends the running search and waits until its last report is out.
    pub fn finish(&self) {
        if self.is_searching() {
            self.searcher.stop();
            self.searcher.wait();
        }
    }

    /// Searches the fixed set of positions with a small table and one thread; its node count identifies the build.
    pub fn bench(&self, depth: i32) -> Result<BenchReport, OptionError> {
        searcher::bench(self.settings.techniques, self.settings.evaluation(), depth, &self.clock)
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

    /// Nodes a second over a longer run: each bench position in turn for its share of the time.
    pub fn speed_test(
        &self,
        threads: usize,
        hash_megabytes: usize,
        time: Duration,
    ) -> Result<BenchReport, OptionError> {
        let pool = SearchPoolSettings { threads, virtual_time: None, ..self.settings.pool() };
        let muster = Muster { hash_megabytes, pool, ..self.settings.muster() };
        searcher::speed_test(&muster, time, &self.clock)
    }

    /// Takes on settings that need a new pool. If that fails, the old one goes on.
    fn rebuild(&mut self, settings: Settings) -> Result<(), OptionError> {
        self.finish();
        self.searcher = Searcher::new(&settings.muster(), &self.clock)?;
        self.settings = settings;
        self.is_pool_outdated = false;
        self.hand_over_tablebases();
        Ok(())
    }

    fn hand_over_tablebases(&self) {
        self.finish();
        self.searcher.set_tablebases(self.tablebases.clone(), self.settings.tablebases);
    }
}

/// Everything a search tells leaves in the same units, whatever the evaluation: a hundred centipawns on move 32 win as often
/// as not.
fn in_shown_units(evaluation: Evaluation, mut listener: Box<Listener>) -> Box<Listener> {
    Box::new(move |mut report| {
        if let Report::Information(information) = &mut report
            && information.score.is_heuristic()
        {
            information.score = Score::centipawns(evaluation.shown(information.score.value()));
        }
        listener(report);
    })
}

#[cfg(test)]
mod tests;
