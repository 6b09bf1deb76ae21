//! Tuning by games (SPSA) as a kind of experiment.

use experiment::flags::{DRAW, EACH, Flag, OPENINGS, RESIGN, TABLES};
use experiment::kind::{Experiment, Plan};
use experiment::session::{Finish, Session};
use experiment::spec::Spec;
use experiment::store::Store;

use super::config::{KIND, Tuning, VOLATILE};
use super::{report, run};

/// The kind.
pub const SPSA: Spsa = Spsa;

/// Simultaneous perturbation stochastic approximation (SPSA; Spall 1998).
#[derive(Debug)]
pub struct Spsa;

const FLAGS: &[Flag] = &[
        Flag::list("engine", "cmd=PATH ...", "the engine to tune (default: this program)"),
        EACH,
        Flag::list(
            "parameter",
            "name=OPTION start=N least=N most=N [c_end=N] [r_end=0.002]",
            "a number to tune; c_end: the size of the last perturbation (default 5 % of the range), r_end: the last learning rate",
        ),
        Flag::value("iterations", "N", "steps in all (default 5000)"),
        Flag::value("pairs", "N", "openings played twice in each step (default 1)"),
        OPENINGS,
        RESIGN,
        DRAW,
        TABLES,
        Flag::value("concurrency", "N", "pairs at a time (default 1)"),
        Flag::value("seed", "N", "seed of the openings and the perturbations (default 1)"),
        Flag::value("patience", "SECONDS", "how long a silent engine is waited for (default 60)"),
];

impl Experiment for Spsa {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn summary(&self) -> &'static str {
        "tune the numbers of an engine by games (SPSA); every step is kept"
    }

    fn example(&self) -> &'static str {
        "tabiya lab spsa --each nodes=2000 --iterations 1000 --openings file=data:openings/balanced.epd \
         --parameter name=futility start=88 least=30 most=200 --out results/spsa"
    }

    fn flags(&self) -> &'static [Flag] {
        FLAGS
    }

    fn volatile(&self) -> &'static [&'static str] {
        &VOLATILE
    }

    fn unmergeable(&self) -> Option<&'static str> {
        Some("every iteration of a tuning run depends on the one before; there is nothing to merge")
    }

    fn read(&self, spec: &Spec, stored: Option<&Store>) -> Result<Box<dyn Plan>, String> {
        Ok(Box::new(if stored.is_some() { Tuning::recall(spec) } else { Tuning::read(spec) }?))
    }
}

impl Plan for Tuning {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, store: &mut Store, session: &mut Session<'_>) -> Result<Finish, String> {
        run::run(self, store, session)
    }

    fn table(&self, store: &Store) -> Result<String, String> {
        Ok(report::table(self, &run::played(&store.rows().map_err(|error| error.to_string())?)))
    }

    fn render(&self, store: &Store) -> Result<String, String> {
        report::render(self, store).map_err(|error| error.to_string())
    }
}
