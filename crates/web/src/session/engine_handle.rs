//! The engine of a session: made on demand, counted while it searches, set only by the options listed below.

use super::context::{CountedSearch, SessionContext};
use crate::allowed_engine::AllowedEngine;
use crate::limits::Machine;
use crate::messages::{EngineFacts, OptionControl, OptionFact};
use crate::problem::Problem;
use crate::session_input::{SearchId, SearchOwner, SessionInput};
use engine::{Clock, Engine, OptionKind, OptionTable, Report, Request, Settings};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::Sender;

/// Options of the opponent that a page may set, where the engine has them. Safety rule 6: whatever names a file is
/// not on either list, and neither is anything that is set another way.
const OPPONENT: &[&str] = &[
    "Speculative",
    "RiskBudget",
    "ModelDistrust",
    "OpponentElo",
    "SparringScore",
    "Coach",
    "Style",
    "Contempt",
];
const ANALYSIS: &[&str] = &["Parallel", "SplitDepth", "Techniques"];

/// What the page needs to know about the engine to offer its controls.
pub fn engine_facts(machine: Machine, engines: &[AllowedEngine]) -> EngineFacts {
    let level = OptionTable::all().iter().find(|spec| spec.name == "UCI_Elo").map(|spec| spec.kind);
    let (level_min, level_max) = match level {
        Some(OptionKind::Spin { min, max, .. }) => (min as u16, max as u16),
        _ => (1000, 3000),
    };
    let listed = OptionTable::all().iter().filter_map(|spec| {
        let opponent = OPPONENT.contains(&spec.name);
        if !opponent && !ANALYSIS.contains(&spec.name) {
            return None;
        }
        let control = control(spec.name, spec.kind)?;
        Some(OptionFact { name: spec.name.to_string(), about: spec.about.to_string(), control, opponent })
    });
    EngineFacts {
        version: env!("CARGO_PKG_VERSION").to_string(),
        level_min,
        level_max,
        threads_max: machine.threads,
        hash_max_megabytes: machine.hash_megabytes,
        options: listed.collect(),
        engines: engines.iter().map(|engine| engine.name.clone()).collect(),
    }
}

fn control(name: &str, kind: OptionKind) -> Option<OptionControl> {
    match kind {
        OptionKind::Check { default } => Some(OptionControl::Check { default }),
        OptionKind::Spin { default, min, max } => {
            Some(OptionControl::Number { default: default as i32, min: min as i32, max: max as i32 })
        }
        OptionKind::Choice { default, values, .. } => Some(OptionControl::Choice {
            default: default.to_string(),
            values: values.iter().map(ToString::to_string).collect(),
        }),
        // Free text is offered only where we know what it may say.
        OptionKind::Text { default } if name == "Techniques" => {
            let values = search::VARIANTS.iter().map(|variant| variant.name.to_string());
            let values = std::iter::once(String::new()).chain(values).collect();
            Some(OptionControl::Choice { default: default.to_string(), values })
        }
        _ => None,
    }
}

/// An engine whose searches report to a session.
pub struct EngineHandle {
    engine: Engine,
    owner: SearchOwner,
    number: u32,
    inputs: Sender<SessionInput>,
    running: Arc<AtomicUsize>,
    /// The options that are set, so that they are not set again for every move.
    options: Vec<(String, String)>,
}

impl EngineHandle {
    pub fn new(
        owner: SearchOwner,
        hash_megabytes: u32,
        context: &SessionContext,
    ) -> Result<EngineHandle, Problem> {
        let settings = Settings { hash_megabytes: hash_megabytes as usize, ..Settings::default() };
        let clock: Arc<dyn Clock> = Arc::clone(&context.shared.clock);
        let engine = Engine::with_settings(clock, settings).map_err(refused)?;
        Ok(EngineHandle {
            engine,
            owner,
            number: 0,
            inputs: context.inputs.clone(),
            running: Arc::clone(&context.shared.searches),
            options: Vec::new(),
        })
    }

    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Problem> {
        let known = self.options.iter().position(|(known, _)| known == name);
        if known.is_some_and(|at| self.options[at].1 == value) {
            return Ok(());
        }
        self.engine.set_option(name, Some(value)).map_err(refused)?;
        // Only now: an option that the engine refused is not set.
        match known {
            Some(at) => value.clone_into(&mut self.options[at].1),
            None => self.options.push((name.to_string(), value.to_string())),
        }
        Ok(())
    }

    /// Sets the options that the page chose, of those it was offered.
    pub fn choose(&mut self, wanted: &[(String, String)], machine: Machine) -> Result<(), Problem> {
        let offered = engine_facts(machine, &[]).options;
        for (name, value) in wanted {
            if !offered.iter().any(|fact| fact.name == *name) {
                let what = format!("'{name}' cannot be set from the page.");
                return Err(Problem::new(what, "Choose among the settings shown."));
            }
            self.set(name, value)?;
        }
        Ok(())
    }

    /// Starts a search and returns its number.
    pub fn go(&mut self, game: chess::Game, request: Request) -> u32 {
        self.number += 1;
        let search = SearchId { owner: self.owner, number: self.number };
        let inputs = self.inputs.clone();
        self.engine.set_game(game);
        // The last search ends here, so the count never includes it twice.
        self.engine.finish();
        let mut running = Some(CountedSearch::new(&self.running));
        self.engine.go(
            request,
            Box::new(move |report| {
                if matches!(report, Report::Best { .. }) {
                    drop(running.take());
                }
                let _ = inputs.send(SessionInput::Search { search, report });
            }),
        );
        self.number
    }

    /// Asks the search to end; its last report will come.
    pub fn interrupt(&self) {
        self.engine.stop();
    }

    /// Whether a report belongs to the search last started.
    pub fn is_current(&self, number: u32) -> bool {
        self.number == number
    }

    /// Ends the search; its last report will not be current.
    pub fn stop(&mut self) {
        self.number += 1;
        self.engine.finish();
    }
}

#[allow(clippy::needless_pass_by_value)] // so that it fits map_err
fn refused(error: engine::OptionError) -> Problem {
    Problem::new(format!("The engine says: {error}."), "Choose another setting and try again.")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule 6: no option that names a file, and none of free text.
    #[test]
    fn the_page_is_offered_no_file() {
        for fact in engine_facts(Machine::with(2, None), &[]).options {
            let name = fact.name.to_lowercase();
            assert!(
                !["file", "path", "book", "dir", "log", "weights"].iter().any(|word| name.contains(word)),
                "{name}"
            );
        }
        for listed in OPPONENT.iter().chain(ANALYSIS) {
            assert!(
                !["BookFile", "SyzygyPath", "EvalFile", "HumanWeights", "Hash", "Threads"].contains(listed)
            );
        }
    }
}
