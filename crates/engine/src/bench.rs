//! The bench and the speed test: a fixed set of positions, searched with a pool of their own.

use crate::options::error::OptionError;
use crate::policy_pool::{PolicyPool, PoolSetup, SearchTerms};
use crate::stop_signal::StopSignal;
use chess::{Game, Move, Position};
use kernel::counters::{Count, Counters};
use kernel::time::TimeSettings;
use kernel::{Clock, Event, Limits, SearchSession};
use search::{BENCH_POSITIONS, BenchReport};
use std::sync::Arc;
use std::time::Duration;

/// What each position of the set is searched to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effort {
    /// From a clear table, for a node count that repeats.
    Depth(i32),
    /// This time for all positions together.
    Time(Duration),
}

/// Searches every position; `None` when stopped.
pub(crate) fn run(
    setup: &PoolSetup,
    effort: Effort,
    clock: &Arc<dyn Clock>,
    stop: &StopSignal,
) -> Result<Option<BenchReport>, OptionError> {
    let mut pool = PolicyPool::new(setup, Arc::clone(clock))?;
    stop.watch(pool.handle().control);
    let mut report = BenchReport { nodes: 0, time: Duration::ZERO, counters: Counters::default() };
    for fen in BENCH_POSITIONS {
        let Ok(position) = Position::from_fen(fen) else { continue };
        let limits = match effort {
            Effort::Depth(depth) => {
                pool.clear();
                Limits::depth(depth)
            }
            Effort::Time(time) => {
                let share = time / BENCH_POSITIONS.len() as u32;
                Limits { move_time: Some(share), ..Limits::default() }
            }
        };
        let handle = pool.handle();
        let session = SearchSession::begin(
            handle.control,
            handle.clock,
            limits,
            TimeSettings::default(),
            handle.workers,
        );
        let session = Arc::new(session);
        // A signal from before the session was opened is seen here, a later one stops the search.
        if stop.is_raised() {
            return Ok(None);
        }
        let terms = SearchTerms { lines: 1, contempt: 0 };
        pool.search(&session, &Game::new(position), &[], terms, &mut |_: Event<'_, Move>| {});
        let counters = pool.counters();
        report.time += session.elapsed();
        report.nodes += counters[Count::Nodes];
        report.counters += counters;
    }
    Ok((!stop.is_raised()).then_some(report))
}
