//! Suites, times to depth and ablations as kinds of experiments.

use experiment::flags::{EACH, ENGINE, Flag, POSITIONS, SHARD};
use experiment::kind::{Experiment, Plan};
use experiment::session::{Finish, Session};
use experiment::spec::Spec;
use experiment::store::Store;

use super::config::{Kind, Study, VOLATILE};
use super::rows::Measured;
use super::{report, run};

/// Problems with solutions.
pub const SUITE: Searches = Searches(Kind::Suite);
/// Time to depth by number of threads.
pub const TIME_TO_DEPTH: Searches = Searches(Kind::TimeToDepth);
/// The engine without each technique.
pub const ABLATION: Searches = Searches(Kind::Ablation);

/// The three kinds that search given positions.
#[derive(Debug)]
pub struct Searches(Kind);

const FLAGS: &[Flag] = &[
    ENGINE,
    EACH,
    POSITIONS,
    Flag::value("repetitions", "N", "how often each position is searched (default 1)"),
    Flag::value("threads", "1,2,4", "numbers of threads to compare (ttd)"),
    Flag::value("threads-option", "NAME", "the option that sets them (ttd; default Threads)"),
    Flag::value("base", "ENGINE", "the engine whose single-thread times all speedups are relative to (ttd)"),
    Flag::switch(
        "in-turn",
        "every variant searches a position before the next one is taken: for a machine whose speed drifts",
    ),
    Flag::value(
        "techniques",
        "all|published|klas|NAME,..",
        "techniques to switch off, or variants (ablate; default all and published)",
    ),
    Flag::value("concurrency", "N", "searches at a time; leave it at 1 where times matter"),
    SHARD,
    Flag::value("patience", "SECONDS", "how long a silent engine is waited for (default 600)"),
];

impl Experiment for Searches {
    fn kind(&self) -> &'static str {
        self.0.as_str()
    }

    fn summary(&self) -> &'static str {
        match self.0 {
            Kind::Suite => "problems with solutions: how many are solved, and how soon",
            Kind::TimeToDepth => "time to depth by number of threads: speedup, efficiency, limits",
            Kind::Ablation => "this engine without each technique: what is it worth in time and nodes",
        }
    }

    fn example(&self) -> &'static str {
        match self.0 {
            Kind::Suite => {
                "tabiya lab suite --engine proto=internal name=tabiya --each st=1 --positions file=data:suites/wac300.epd \
                 --out results/wac"
            }
            Kind::TimeToDepth => {
                "tabiya lab ttd --engine proto=internal name=tabiya --each depth=14 option.Hash=64 --threads 1,2 \
                 --positions file=data:positions/crafty30.epd --repetitions 5 --out results/ttd"
            }
            Kind::Ablation => {
                "tabiya lab ablate --each depth=10 option.Hash=64 --techniques all \
                 --positions file=data:positions/crafty30.epd --out results/ablation"
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
        let study = match stored {
            None => Study::read(self.0, spec),
            Some(store) => Study::recall(self.0, spec, &store.rows().map_err(|error| error.to_string())?),
        };
        Ok(Box::new(study?))
    }
}

impl Plan for Study {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, store: &mut Store, session: &mut Session<'_>) -> Result<Finish, String> {
        run::run(self, store, session)
    }

    fn table(&self, store: &Store) -> Result<String, String> {
        let rows = store.rows().map_err(|error| error.to_string())?;
        let rows: Vec<Measured> = rows.iter().filter_map(Measured::read).collect();
        Ok(report::table(self, &rows))
    }

    fn render(&self, store: &Store) -> Result<String, String> {
        report::render(self, store).map_err(|error| error.to_string())
    }
}
