//! Everything a user can set.

use crate::announced_opponent::Opponent;
use crate::evaluation;
use crate::policy_pool::PoolSetup;
use eval::nnue::Network;
use eval::{EvalTerms, Evaluation};
use kernel::TechniqueSet;
use kernel::sched::{Parallel, VirtualSettings};
use kernel::time::{TimeNumbers, TimeSettings};
use opponent::human_like::{Character, Level, NO_CHARACTER};
use search::{Parameters, SearchPoolSettings, TablebaseSettings, Technique};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub(crate) const DEFAULT_ELO: u16 = 1800;
pub(crate) const ELO_RANGE: RangeInclusive<u16> = Level::LOWEST.points()..=Level::HIGHEST.points();

/// The parallel searches by name.
pub(crate) const PARALLEL_NAMES: [&str; 4] =
    [Parallel::Lazy.name(), Parallel::Ybwc.name(), Parallel::Abdada.name(), Parallel::Teams.name()];

/// The named opponents by their words, and none of them.
pub(crate) const STYLE_NAMES: &[&str] = &{
    let mut names = [NO_CHARACTER; Character::ALL.len() + 1];
    let mut index = 0;
    while index < Character::ALL.len() {
        names[index + 1] = Character::ALL[index].id;
        index += 1;
    }
    names
};

/// Whether and how to play on the opponent's mistakes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speculative {
    Off,
    /// Expectimax between the best and the worst reply.
    Expectimax,
    /// Expectation over modelled replies, within a budget of concessions.
    Bounded,
}

impl Speculative {
    pub const NAMES: &'static [&'static str] = &["off", "expectimax", "bounded"];
    /// Old spellings, accepted for one release.
    pub const ALIASES: &'static [(&'static str, &'static str)] = &[("seed", "expectimax")];

    pub fn named(name: &str) -> Option<Speculative> {
        Some(match name {
            "off" => Speculative::Off,
            "expectimax" => Speculative::Expectimax,
            "bounded" => Speculative::Bounded,
            _ => return None,
        })
    }
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub hash_megabytes: usize,
    pub threads: usize,
    /// How threads share the work. The number of threads is `threads`, and virtual time has its own settings.
    pub pool: SearchPoolSettings,
    /// Workers in virtual time; zero for real threads.
    pub virtual_threads: usize,
    pub virtual_time: VirtualSettings,
    /// Lines to report.
    pub lines: usize,
    /// The program wants to ponder; it decides by its `go` commands, this is for the record.
    pub ponder: bool,
    pub chess960: bool,
    pub analyse_mode: bool,
    pub limit_strength: bool,
    /// The level to play at when `limit_strength` is set.
    pub elo: u16,
    /// Seeds what is drawn: moves of the human-like player, book moves. Zero takes a seed from the system's entropy.
    pub random_seed: u64,
    /// When limited, take about as long as a person would.
    pub thinking_time: bool,
    /// When limited, the named opponent that plays; `None` plays as people do on average.
    pub character: Option<&'static Character>,
    /// Points in a hundred the person should score; zero plays at `elo`.
    pub sparring_score: u8,
    /// The opponent's rating; zero when unknown.
    pub opponent_elo: u16,
    pub speculative: Speculative,
    /// A reply network of the user's; `None` is the embedded one.
    pub human_weights: Option<PathBuf>,
    /// Expected points, in thousandths, that speculation may give away in a game.
    pub risk_budget: u16,
    /// How much of the decision stays with normal search, in percent.
    pub model_distrust: u8,
    pub move_overhead: Duration,
    /// Nodes to the millisecond in place of time; zero for real time.
    pub nodes_time: u64,
    pub own_book: bool,
    pub book_file: Option<PathBuf>,
    /// Folders of Syzygy tables, separated as the system separates paths; empty for none.
    pub syzygy_path: String,
    pub tablebases: TablebaseSettings,
    /// How much worse than nothing a draw is for the engine, in centipawns.
    pub contempt: i32,
    /// The program wants win, draw and loss chances beside each score.
    pub show_wdl: bool,
    /// The opponent, when the program announces one.
    pub opponent: Option<Opponent>,
    /// A study of the evaluation: only these terms count.
    pub terms: EvalTerms,
    /// Evaluate with this network; `None` is the hand-crafted evaluation.
    pub network: Option<Arc<Network>>,
    /// A technique study: only these are used. `None` is the engine as released.
    pub techniques: Option<TechniqueSet<Technique>>,
    pub parameters: Parameters,
    /// How a clock is shared out.
    pub time_numbers: TimeNumbers,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_megabytes: 16,
            threads: 1,
            pool: SearchPoolSettings::default(),
            virtual_threads: 0,
            virtual_time: VirtualSettings::default(),
            lines: 1,
            ponder: false,
            chess960: false,
            analyse_mode: false,
            limit_strength: false,
            elo: DEFAULT_ELO,
            random_seed: 0,
            character: None,
            thinking_time: true,
            sparring_score: 0,
            opponent_elo: 0,
            speculative: Speculative::Off,
            human_weights: None,
            risk_budget: 150,
            model_distrust: 20,
            move_overhead: Duration::from_millis(10),
            nodes_time: 0,
            own_book: false,
            book_file: None,
            syzygy_path: String::new(),
            tablebases: TablebaseSettings::default(),
            contempt: 0,
            show_wdl: false,
            opponent: None,
            terms: EvalTerms::ALL,
            network: evaluation::embedded().ok(),
            techniques: None,
            parameters: Parameters::default(),
            time_numbers: TimeNumbers::default(),
        }
    }
}

impl Settings {
    pub(crate) fn evaluation(&self) -> Evaluation {
        match &self.network {
            Some(network) => Evaluation::Network(Arc::clone(network)),
            None => Evaluation::HandCrafted(self.terms),
        }
    }

    /// How the workers of the pool search together.
    pub(crate) fn pool_settings(&self) -> SearchPoolSettings {
        let virtual_time = (self.virtual_threads > 0)
            .then_some(VirtualSettings { workers: self.virtual_threads, ..self.virtual_time });
        SearchPoolSettings { threads: self.threads, virtual_time, ..self.pool }
    }

    pub(crate) fn pool_setup(&self) -> PoolSetup {
        PoolSetup {
            hash_megabytes: self.hash_megabytes,
            workers: self.pool_settings(),
            techniques: self.techniques,
            evaluation: self.evaluation(),
            parameters: self.parameters.clone(),
        }
    }

    pub(crate) fn time_settings(&self) -> TimeSettings {
        TimeSettings {
            overhead: self.move_overhead,
            nodes_per_millisecond: (self.nodes_time > 0).then_some(self.nodes_time),
            numbers: self.time_numbers.clone(),
        }
    }
}
