//! One side of a test: the search with techniques switched off and numbers changed.

use crate::Result;
use chess::{Game, Move, Position};
use kernel::clock::ManualClock;
use kernel::counters::Count;
use kernel::driver::Plan;
use kernel::sched::{Ranks, SearchEnd, ThreadPool, Timeline};
use kernel::time::TimeNumbers;
use kernel::{Event, Limits, Policy, Sink, Technique as _, TechniqueSet};
use search::{BENCH_DEPTH, BENCH_POSITIONS, CompiledPolicy, Parameters, SearchPool, Technique, WorkerSet};
use std::sync::Arc;

/// Techniques by a mask, without the counters of the laboratory.
#[derive(Clone, Copy)]
pub struct Mask(TechniqueSet<Technique>);

impl Policy<Technique> for Mask {
    const COUNTS: bool = false;

    #[inline(always)]
    fn uses(&self, technique: Technique) -> bool {
        self.0.contains(technique)
    }
}

impl CompiledPolicy for Mask {
    fn search(
        workers: &mut WorkerSet<Self>,
        plan: &Plan,
        thread_pool: &mut ThreadPool,
        timeline: Option<&Arc<Timeline>>,
        ranks: &Ranks<Move>,
        sink: &mut dyn Sink<Move>,
    ) -> Option<SearchEnd<Move>> {
        workers.search(plan, thread_pool, timeline, ranks, sink)
    }
}

pub type Pool = SearchPool<Mask>;

/// What a side differs in from the defaults.
#[derive(Clone)]
pub struct Side {
    techniques: TechniqueSet<Technique>,
    numbers: Parameters,
    time_numbers: TimeNumbers,
}

impl Side {
    /// Reads `-technique` and `number=value`, separated by spaces or commas; nothing is the default search.
    pub fn parse(text: &str) -> Result<Self> {
        let mut side = Self {
            techniques: TechniqueSet::all(),
            numbers: Parameters::default(),
            time_numbers: TimeNumbers::default(),
        };
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            if let Some(name) = word.strip_prefix('-') {
                let technique = Technique::from_name(name).ok_or(format!("{name}: no such technique"))?;
                side.techniques = side.techniques.without(technique);
            } else {
                let (name, value) =
                    word.split_once('=').ok_or(format!("{word}: -technique or number=value"))?;
                let value = value.parse()?;
                if TimeNumbers::SPECS.iter().any(|spec| spec.name == name) {
                    side.time_numbers.set(name, value)?;
                } else {
                    side.numbers.set(name, value)?;
                }
            }
        }
        Ok(side)
    }

    /// A search of this kind, with the network.
    pub fn pool(&self) -> Result<Pool> {
        let mut pool = SearchPool::new(Mask(self.techniques), 8, Arc::new(ManualClock::new()))
            .map_err(|error| error.to_string())?;
        pool.set_parameters(self.numbers.clone());
        pool.settings.numbers = self.time_numbers.clone();
        pool.set_evaluator(|| eval::Evaluation::shipped().evaluator());
        Ok(pool)
    }

    /// The node count of the bench: tells whether a switch changes anything.
    pub fn bench(&self) -> Result<u64> {
        let mut pool = self.pool()?;
        let mut nodes = 0;
        for fen in BENCH_POSITIONS {
            pool.clear();
            let game = Game::new(Position::from_fen(fen)?);
            pool.search(&game, &[], Limits::depth(BENCH_DEPTH), &mut |_: Event<'_, Move>| {});
            nodes += pool.counters()[Count::Nodes];
        }
        Ok(nodes)
    }
}
