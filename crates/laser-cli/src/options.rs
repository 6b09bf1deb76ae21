//! The engine's options as one table: names of the course's player, then our own.

use kernel::Clock;
use kernel::sched::virtual_time::MOST_WORKERS;
use kernel::sched::{Parallel, VirtualSettings};
use laser::DrawRules;
use laser_search::{Book, Engine, Parameters, Settings};
use std::sync::Arc;
use std::time::Duration;

/// One option: its name, range, and how it reads and writes the settings.
struct Spec {
    name: &'static str,
    min: i64,
    max: i64,
    get: fn(&Options) -> i64,
    set: fn(&mut Options, i64),
}

/// The settings of a player, with the size of its table.
#[derive(Clone, Debug)]
pub struct Options {
    pub settings: Settings,
    pub megabytes: usize,
    /// Played from before any search.
    pub book: Option<Arc<Book>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            settings: Settings::default(),
            megabytes: laser_search::engine::DEFAULT_MEGABYTES,
            book: None,
        }
    }
}

const WEIGHT: (i64, i64) = (0, 1_000_000);

macro_rules! weight {
    ($name:literal, $field:ident) => {
        Spec {
            name: $name,
            min: WEIGHT.0,
            max: WEIGHT.1,
            get: |options| i64::from(options.settings.weights.$field),
            set: |options, value| options.settings.weights.$field = value as i32,
        }
    };
}

const SPECS: &[Spec] = &[
    weight!("mobility", mobility),
    weight!("kaggressive", aggressive),
    weight!("kface", face),
    weight!("pbetween", between),
    weight!("pcentral", central),
    weight!("lcoverage", coverage),
    weight!("siege", siege),
    weight!("threat", threat),
    Spec {
        name: "hash",
        min: 1,
        max: 65_536,
        get: |options| options.megabytes as i64,
        set: |options, value| options.megabytes = value as usize,
    },
    Spec {
        name: "threads",
        min: 1,
        max: 64,
        get: |options| options.settings.threads as i64,
        set: |options, value| options.settings.threads = value as usize,
    },
    Spec {
        // 0 lazy, 1 Young Brothers Wait, 2 ABDADA, 3 teams of Young Brothers Wait.
        name: "parallel",
        min: 0,
        max: Parallel::ALL.len() as i64 - 1,
        get: |options| options.settings.parallel as i64,
        set: |options, value| {
            options.settings.parallel = Parallel::ALL.get(value as usize).copied().unwrap_or_default();
        },
    },
    Spec {
        // Workers in virtual time, reproducibly, on one core; 0 for real threads.
        name: "virtual_threads",
        min: 0,
        max: MOST_WORKERS as i64,
        get: |options| options.settings.virtual_time.map_or(0, |virtual_time| virtual_time.workers as i64),
        set: |options, value| {
            let settings = VirtualSettings { workers: value as usize, ..VirtualSettings::DEFAULT };
            options.settings.virtual_time = (value > 0).then_some(settings);
        },
    },
    Spec {
        // Every term by its definition, to measure what the faster ways are worth.
        name: "plain_eval",
        min: 0,
        max: 1,
        get: |options| i64::from(options.settings.plain_evaluation),
        set: |options, value| options.settings.plain_evaluation = value != 0,
    },
    Spec {
        name: "quiet_limit",
        min: 2,
        max: 1000,
        get: |options| i64::from(options.settings.rules.quiet_plies),
        set: |options, value| {
            options.settings.rules = DrawRules { quiet_plies: value as u16, ..options.settings.rules };
        },
    },
    Spec {
        name: "overhead",
        min: 0,
        max: 5000,
        get: |options| options.settings.time.overhead.as_millis() as i64,
        set: |options, value| options.settings.time.overhead = Duration::from_millis(value as u64),
    },
    Spec {
        name: "aspiration",
        min: 0,
        max: 1000,
        get: |options| i64::from(options.settings.aspiration.unwrap_or(0)),
        set: |options, value| options.settings.aspiration = Some(value as i32).filter(|&width| width > 0),
    },
];

impl Options {
    /// Sets an option by name; the error says what was wrong.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), String> {
        if let Some(spec) = SPECS.iter().find(|spec| spec.name == name) {
            if !(spec.min..=spec.max).contains(&value) {
                return Err(format!("option {name}: {value}, expected {} to {}", spec.min, spec.max));
            }
            (spec.set)(self, value);
            return Ok(());
        }
        let value = i32::try_from(value).map_err(|_| format!("option {name}: {value} is too large"))?;
        self.settings
            .parameters
            .set(name, value)
            .map_err(|error| error.to_string().replacen("tunable", "option", 1))
    }

    /// Sets several at once: `name=number,...`.
    pub fn set_all(&mut self, text: &str) -> Result<(), String> {
        for pair in text.split(',').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair
                .split_once('=')
                .and_then(|(name, value)| Some((name, value.parse().ok()?)))
                .ok_or_else(|| format!("'{pair}', expected name=number"))?;
            self.set(name, value)?;
        }
        Ok(())
    }

    /// The lines `uci` prints.
    pub fn lines(&self) -> Vec<String> {
        let defaults = Options::default();
        let own = SPECS.iter().map(|spec| {
            let (value, default) = ((spec.get)(self), (spec.get)(&defaults));
            protocol::leiserchess::option_line(spec.name, value, default, spec.min, spec.max)
        });
        let tunables = Parameters::SPECS.iter().map(|spec| {
            let value = self.settings.parameters.get(spec.name).unwrap_or(spec.default);
            protocol::leiserchess::option_line(
                spec.name,
                value.into(),
                spec.default.into(),
                spec.min.into(),
                spec.max.into(),
            )
        });
        own.chain(tunables).collect()
    }

    /// An engine with these options.
    pub fn engine(&self, clock: Arc<dyn Clock>) -> Result<Engine, String> {
        Engine::new(clock, self.settings.clone(), self.megabytes).map_err(|error| error.to_string())
    }

    /// Gives changed options to a running engine.
    pub(crate) fn apply(&self, engine: &mut Engine) -> Result<(), String> {
        engine.resize_table(self.megabytes).map_err(|error| error.to_string())?;
        engine.set(self.settings.clone());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_checked_and_kept() {
        let mut options = Options::default();
        assert_eq!(options.set("mobility", 900), Ok(()));
        assert_eq!(options.settings.weights.mobility, 900);
        assert_eq!(options.set("draw", -20), Ok(()));
        assert_eq!(options.settings.parameters.draw, -20);
        assert!(options.set("hash", 0).is_err_and(|error| error.contains("expected 1 to 65536")));
        assert!(options.set("wings", 1).is_err_and(|error| error.contains("option wings")));
        assert!(options.lines().iter().any(|line| line.starts_with("option name lcoverage type spin value")));
    }
}
