//! A fixed workload whose node count is the checksum of the search's behaviour.

use crate::bench_positions::POSITIONS;
use crate::search_pool::SearchPool;
use crate::worker_set::CompiledPolicy;
use chess::{Game, Move, Position};
use kernel::counters::{Count, Counters};
use kernel::{Event, Limits};
use std::time::Duration;

/// The depth of the checksum.
pub const BENCH_DEPTH: i32 = 12;

/// What a bench found.
#[derive(Clone, Debug)]
pub struct BenchReport {
    /// Nodes of all positions: the checksum.
    pub nodes: u64,
    /// Time by the pool's clock.
    pub time: Duration,
    /// Everything counted.
    pub counters: Counters,
}

/// Searches every bench position to `depth` from a clean state; `each` hears the nodes of each.
pub fn bench<P: CompiledPolicy>(
    pool: &mut SearchPool<P>,
    depth: i32,
    each: &mut dyn FnMut(&str, u64),
) -> BenchReport {
    let mut report = BenchReport { nodes: 0, time: Duration::ZERO, counters: Counters::default() };
    for fen in POSITIONS {
        let Ok(position) = Position::from_fen(fen) else { continue };
        pool.clear();
        let mut time = Duration::ZERO;
        pool.search(&Game::new(position), &[], Limits::depth(depth), &mut |event: Event<'_, Move>| {
            if let Event::Info(info) = event {
                time = info.time;
            }
        });
        let counters = pool.counters();
        each(fen, counters[Count::Nodes]);
        report.nodes += counters[Count::Nodes];
        report.time += time;
        report.counters += counters;
    }
    report
}
