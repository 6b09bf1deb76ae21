//! The study of speculation against simulated humans as a kind of experiment.

use experiment::flags::{Flag, OPENINGS, SHARD};
use experiment::kind::{Experiment, Plan};
use experiment::session::{Finish, Session};
use experiment::spec::Spec;
use experiment::store::Store;

use super::config::{KIND, Study, VOLATILE};
use super::{report, run};

/// The kind.
pub const HUMAN: Human = Human;

/// Games of several play modes against simulated humans.
#[derive(Debug)]
pub struct Human;

const FLAGS: &[Flag] = &[
        Flag::value(
            "arms",
            "plain,expectimax,..",
            "play modes: plain, contempt, expectimax, bounded, small-policy, unknown, shuffled, perfect (default: all but \
             small-policy and perfect)",
        ),
        Flag::value("ratings", "1100,1500,..", "of the simulated humans (default 1100,1300,1500,1700,1900)"),
        Flag::value(
            "people",
            "FILE",
            "the network they are drawn from, such as crates/human-model/weights/held-out.bin, or Maia-1's by trainer/human/maia.py (default: Regan's softmax)",
        ),
        Flag::value("pairs", "N", "openings, each with both colours, for every rating and arm (default 200)"),
        Flag::value("nodes", "N", "for each move of the engine (default 100000)"),
        Flag::value("odds", "none|knight", "material that the engine gives (default none)"),
        OPENINGS,
        Flag::value("seed", "N", "seed of the openings and the simulated humans (default 1)"),
        Flag::value("concurrency", "N", "games at a time (default 1)"),
        SHARD,
];

impl Experiment for Human {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn summary(&self) -> &'static str {
        "does speculation win sooner against simulated humans, and what does it cost?"
    }

    fn example(&self) -> &'static str {
        "tabiya lab human --arms plain,bounded --ratings 1100,1500 --pairs 20 --nodes 10000 \
         --openings file=data:openings/balanced.epd --out results/human"
    }

    fn flags(&self) -> &'static [Flag] {
        FLAGS
    }

    fn volatile(&self) -> &'static [&'static str] {
        &VOLATILE
    }

    fn read(&self, spec: &Spec, stored: Option<&Store>) -> Result<Box<dyn Plan>, String> {
        Ok(Box::new(if stored.is_some() { Study::recall(spec) } else { Study::read(spec) }?))
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
        report::table(store).map_err(|error| error.to_string())
    }

    fn render(&self, store: &Store) -> Result<String, String> {
        report::render(self, store).map_err(|error| error.to_string())
    }
}
