//! Watching a search from a second thread: what is it busy with, about a thousand times a second?

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chess::{Game, Move, Position};
use eval::Evaluation;
use eval::nnue::Network;
use kernel::clock::ManualClock;
use kernel::counters::Count;
use kernel::{Event, Lab, Limits, TechniqueSet};
use search::{Phase, PhaseProbe, SearchPool, Technique};
use serde_json::{Map, Value, json};

use super::config::{Place, Profile};
use crate::calibrate::Stopwatch;
use common::Random;
use experiment::store::Row;

/// The mean time between two looks.
const EVERY: u64 = 1000;

/// A pool that tells its phases, with an evaluation.
pub struct Watched(SearchPool<Lab<Technique>>);

impl Watched {
    /// Makes the pool.
    pub fn new(profile: &Profile, evaluation: &str) -> Result<Self, String> {
        let policy = Lab(TechniqueSet::all());
        let clock = Arc::new(ManualClock::new());
        let mut pool = SearchPool::new(policy, profile.hash, clock).map_err(|error| error.to_string())?;
        if evaluation == "network" {
            let network = Arc::new(Network::embedded().map_err(|error| error.to_string())?);
            pool.set_evaluator(move || Evaluation::Network(Arc::clone(&network)).evaluator());
        }
        Ok(Self(pool))
    }

    /// Searches a position from a clean state and watches.
    pub fn search(&mut self, place: &Place, depth: u32, task: String, series: &str) -> Result<Row, String> {
        let position =
            Position::from_fen(&place.fen).map_err(|error| format!("position {}: {error}", place.id))?;
        let pool = &mut self.0;
        pool.clear();
        let phase_probe = pool.phase_probe();
        let before = Phase::ALL.map(|phase| phase_probe.entered(phase));
        let done = AtomicBool::new(false);
        let (samples, cpu, wall) = std::thread::scope(|scope| {
            let watcher = std::thread::Builder::new()
                .spawn_scoped(scope, || watch(&phase_probe, &done))
                .map_err(|error| format!("no thread to watch the search: {error}"))?;
            let (began, stopwatch) = (Instant::now(), Stopwatch::start());
            let limits = Limits::depth(i32::try_from(depth).unwrap_or(i32::MAX));
            pool.search(&Game::new(position), &[], limits, &mut |_: Event<'_, Move>| {});
            let spent = (stopwatch.nanoseconds(), began.elapsed());
            done.store(true, Ordering::Release);
            let samples = watcher.join().map_err(|_| "the thread that watches has died".to_owned())?;
            Ok::<_, String>((samples, spent.0, spent.1))
        })?;
        let counters = pool.counters();
        let table = |values: [u64; Phase::ALL.len()]| -> Value {
            Phase::ALL
                .iter()
                .zip(values)
                .map(|(phase, value)| (phase.name().to_owned(), json!(value)))
                .collect()
        };
        let entered: Vec<u64> = Phase::ALL
            .iter()
            .zip(before)
            .map(|(phase, before)| phase_probe.entered(*phase) - before)
            .collect();
        let entered = entered.try_into().unwrap_or_default();
        let data = Map::from_iter([
            ("series".to_owned(), json!(series)),
            ("position".to_owned(), json!(place.id)),
            ("fen".to_owned(), json!(place.fen)),
            ("nodes".to_owned(), json!(counters[Count::Nodes])),
            ("quiescence".to_owned(), json!(counters[Count::QuiescenceNodes])),
            ("cpu_ns".to_owned(), json!(cpu.round())),
            ("wall_ns".to_owned(), json!(wall.as_nanos() as u64)),
            ("samples".to_owned(), table(samples)),
            ("entered".to_owned(), table(entered)),
        ]);
        Ok(Row { task, data })
    }
}

/// Counts what is seen until the search is done. The looks are uneven on purpose: an even beat could fall in with a rhythm of
/// the search.
fn watch(phase_probe: &PhaseProbe, done: &AtomicBool) -> [u64; Phase::ALL.len()] {
    let mut samples = [0; Phase::ALL.len()];
    let mut random = Random::new(1);
    while !done.load(Ordering::Acquire) {
        std::thread::sleep(Duration::from_micros(EVERY / 2 + random.below(EVERY as usize) as u64));
        if !done.load(Ordering::Acquire) {
            samples[phase_probe.phase() as usize] += 1;
        }
    }
    samples
}
