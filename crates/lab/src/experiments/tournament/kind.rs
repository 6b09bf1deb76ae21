//! Matches, sequential tests, rating lists and thread ladders as kinds of experiments.

use experiment::flags::{DRAW, EACH, ENGINE, Flag, OPENINGS, RESIGN, SHARD, TABLES};
use experiment::kind::{Experiment, Plan};
use experiment::session::{Finish, Session};
use experiment::spec::Spec;
use experiment::store::{Store, StoreError};

use super::config::{Kind, Tournament, VOLATILE};
use super::{report, run, table};

/// Two engines, a fixed number of games.
pub const MATCH: Games = Games(Kind::Match);
/// Two engines, games until one hypothesis is accepted.
pub const SPRT: Games = Games(Kind::Sprt);
/// Several engines, a rating list.
pub const RATINGS: Games = Games(Kind::Ratings);
/// One engine with several numbers of threads against a pool.
pub const THREADS_ELO: Games = Games(Kind::ThreadsElo);

/// The four kinds that play games between engines.
#[derive(Debug)]
pub struct Games(Kind);

const FLAGS: &[Flag] = &[
    ENGINE,
    EACH,
    OPENINGS,
    Flag::value("pairs", "N", "pairs of games for every two engines that meet (default 50; for sprt 50000)"),
    Flag::value("games", "N", "the same counted in games; even"),
    Flag::value(
        "format",
        "roundrobin|gauntlet|ladder|swiss|knockout",
        "who meets whom (ratings); in a ladder, each engine the next in the list",
    ),
    Flag::value("swiss-rounds", "N", "rounds of a Swiss tournament (default as many as a knockout has)"),
    Flag::list("subject", "cmd=PATH [name=N] ...", "an engine under study, as --engine (threads-elo)"),
    Flag::list("hero", "...", "the old name of --subject"),
    Flag::value("threads", "1,2,4", "its numbers of threads (threads-elo)"),
    Flag::value("threads-option", "NAME", "the option that sets them (threads-elo; default Threads)"),
    Flag::value("initial", "ELO", "where the K-factor series begins (threads-elo; default the pool's mean)"),
    Flag::table(
        "sprt",
        "elo0=0 elo1=5 [alpha=0.05] [beta=0.05] [model=normalised|logistic]",
        "the two hypotheses (sprt)",
    ),
    Flag::value("mean", "ELO", "mean of a rating list in which no engine has rating=.. (default 0)"),
    RESIGN,
    DRAW,
    TABLES,
    Flag::value("max-moves", "N", "a draw after this many moves"),
    Flag::switch("chess960", "the openings are Chess960"),
    Flag::value("concurrency", "N", "games at a time (default 1)"),
    Flag::switch("pin", "keep every game on a core of its own; only for a machine that does nothing else"),
    Flag::switch(
        "forgive-stolen",
        "clocks stand still while the host of a virtual machine takes the processor away (Linux)",
    ),
    Flag::value("engine-log", "DIR", "write what the engines are told and answer, a file for each game"),
    Flag::switch("live", "draw the table again in place after every game, for a terminal; with sprt its ratio as well"),
    Flag::value("seed", "N", "seed of the opening order (default 1)"),
    SHARD,
    Flag::value(
        "patience",
        "SECONDS",
        "how long after its time a silent engine is killed (default 10, untimed 300)",
    ),
    Flag::value("max-faults", "N", "games in a row an engine may spoil before the run stops (default 5)"),
];

impl Experiment for Games {
    fn kind(&self) -> &'static str {
        self.0.as_str()
    }

    fn summary(&self) -> &'static str {
        match self.0 {
            Kind::Match => "two engines, a fixed number of games",
            Kind::Sprt => "is the first engine stronger? play until the test is decided",
            Kind::Ratings => "several engines, a rating list with error bars",
            Kind::ThreadsElo => "the rating of an engine by its number of threads, against a pool of known ratings",
        }
    }

    fn example(&self) -> &'static str {
        match self.0 {
            Kind::Match => {
                "tabiya lab match --engine cmd=./new --engine cmd=./old --each tc=8+0.08 option.Hash=16 \
                 --openings file=data:openings/balanced.epd --games 200 --concurrency 2 --out results/new-old"
            }
            Kind::Sprt => {
                "tabiya lab sprt --engine cmd=./new --engine cmd=./old --each nodes=20000 option.Hash=16 \
                 --openings file=data:openings/unbalanced.epd --sprt elo0=0 elo1=5 --concurrency 2 --out results/sprt-1"
            }
            Kind::Ratings => {
                "tabiya lab ratings --engine cmd=./a --engine cmd=./b --engine cmd=./c --each nodes=10000 \
                 --openings file=data:openings/balanced.epd --pairs 100 --out results/ratings"
            }
            Kind::ThreadsElo => {
                "tabiya lab threads-elo --subject proto=internal name=tabiya --threads 1,2 --engine cmd=./pool rating=2800 \
                 --each tc=2+0.02 --openings file=data:openings/balanced.epd --pairs 50 --out results/threads"
            }
        }
    }

    fn flags(&self) -> &'static [Flag] {
        FLAGS
    }

    fn volatile(&self) -> &'static [&'static str] {
        &VOLATILE
    }

    fn read(&self, spec: &Spec, stored: Option<&Store>) -> Result<Box<dyn Plan>, String> {
        let tournament =
            if stored.is_some() { Tournament::recall(self.0, spec) } else { Tournament::read(self.0, spec) };
        Ok(Box::new(tournament?))
    }
}

impl Plan for Tournament {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, store: &mut Store, session: &mut Session<'_>) -> Result<Finish, String> {
        run::run(self, store, session)
    }

    fn table(&self, store: &Store) -> Result<String, String> {
        let games = store.games().map_err(|error| error.to_string())?;
        Ok(table::render(self, &run::standings_of(self, &games)?) + "\n")
    }

    fn render(&self, store: &Store) -> Result<String, String> {
        report::render(self, store)
    }

    fn files(&self, store: &Store) -> Result<Vec<(&'static str, String)>, String> {
        let text = |error: StoreError| error.to_string();
        Ok(vec![
            ("games.csv", store.export_csv().map_err(text)?),
            ("games.pgn", store.export_pgn().map_err(text)?),
            ("final.epd", store.export_epd().map_err(text)?),
        ])
    }
}
