//! The study of Leiserchess versions as a kind of experiment.

use experiment::flags::Flag;
use experiment::kind::{Experiment, Plan};
use experiment::session::{Finish, Session};
use experiment::spec::Spec;
use experiment::store::Store;

use super::config::{KIND, Laser, VOLATILE};
use super::{report, run};

/// The kind.
pub const LASER: LaserStudy = LaserStudy;

/// Versions of the Leiserchess player.
#[derive(Debug)]
pub struct LaserStudy;

const FLAGS: &[Flag] = &[
    Flag::value(
        "versions",
        "ladder|techniques|NAME,..",
        "from the reference evaluation to ours, ours without each technique, or by name (default ladder)",
    ),
    Flag::value("depth", "N", "plies (default 10)"),
    Flag::value("seconds", "X", "besides, search each version for so long and record the depth"),
    Flag::value("threads", "1,2", "real threads (default 1,2)"),
    Flag::value("virtual", "1,2,4", "workers in virtual time, 0 for none (default 1,2,4,8,16)"),
    Flag::value("parallel", "lazy,ybwc,abdada,teams", "parallel algorithms (default all four)"),
    Flag::value("locks", "true|false", "compare the table with locks and without (default true)"),
    Flag::table(
        "book",
        "[openings=50] [nodes=2000] [plies=2] [book_plies=3] [best=2] [rank_depth=4] [depth=9]",
        "games with a book against games without; openings=0 plays none",
    ),
    Flag::value("hash", "MB", "size of the transposition table (default 16)"),
    Flag::value("repetitions", "N", "of what is not the same every time (default 3)"),
];

impl Experiment for LaserStudy {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn summary(&self) -> &'static str {
        "Leiserchess: nodes, speed and depth by version and threads; book and table locks on and off"
    }

    fn example(&self) -> &'static str {
        "tabiya lab laser --versions ladder --depth 8 --threads 1,2 --virtual 1,4 --book openings=10 --out results/laser"
    }

    fn flags(&self) -> &'static [Flag] {
        FLAGS
    }

    fn volatile(&self) -> &'static [&'static str] {
        &VOLATILE
    }

    fn read(&self, spec: &Spec, _stored: Option<&Store>) -> Result<Box<dyn Plan>, String> {
        Ok(Box::new(Laser::read(spec)?))
    }
}

impl Plan for Laser {
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
