//! Profiles as a kind of experiment.

use experiment::flags::{Flag, POSITIONS};
use experiment::kind::{Experiment, Plan};
use experiment::session::{Finish, Session};
use experiment::spec::Spec;
use experiment::store::Store;

use super::config::{KIND, Profile, VOLATILE};
use super::{report, run};

/// The kind.
pub const PROFILE: Profiles = Profiles;

/// Where the time of a search goes.
#[derive(Debug)]
pub struct Profiles;

const FLAGS: &[Flag] = &[
    POSITIONS,
    Flag::value("depth", "N", "plies (default 14)"),
    Flag::value("rounds", "N", "how often every position is measured (default 3)"),
    Flag::value("hash", "MB", "size of the transposition table (default 16)"),
    Flag::value("evaluation", "hce,network", "with which evaluations (default hce)"),
    Flag::value(
        "functions",
        "auto|perf|none",
        "functions and a flame graph by perf: if it is available (default), always, or never",
    ),
    Flag::value("rate", "N", "perf's samples per second (default 499)"),
    Flag::value("engine", "PATH", "a UCI engine to take the functions from (default: this program)"),
];

impl Experiment for Profiles {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn summary(&self) -> &'static str {
        "where the time of a search goes, by phase and (with perf) by function, as a flame graph"
    }

    fn example(&self) -> &'static str {
        "tabiya lab profile --depth 12 --evaluation hce,network --functions none --out results/profile"
    }

    fn flags(&self) -> &'static [Flag] {
        FLAGS
    }

    fn volatile(&self) -> &'static [&'static str] {
        &VOLATILE
    }

    fn read(&self, spec: &Spec, stored: Option<&Store>) -> Result<Box<dyn Plan>, String> {
        let profile = match stored {
            None => Profile::read(spec),
            Some(store) => Profile::recall(spec, &store.rows().map_err(|error| error.to_string())?),
        };
        Ok(Box::new(profile?))
    }
}

impl Plan for Profile {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, store: &mut Store, session: &mut Session<'_>) -> Result<Finish, String> {
        run::run(self, store, session)
    }

    fn table(&self, store: &Store) -> Result<String, String> {
        Ok(report::table(self, &store.rows().map_err(|error| error.to_string())?))
    }

    fn render(&self, store: &Store) -> Result<String, String> {
        report::render(self, store).map_err(|error| error.to_string())
    }
}
