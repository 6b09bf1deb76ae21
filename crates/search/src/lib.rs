//! The chess search.
//!
//! A [`Worker`] owns what one thread searches with; [`Shared`] is what all of them see. A [`SearchPool`]
//! has workers, table, clock and stop control. Every technique is a switch
//! ([`Technique`]) with one guard; the `Release` policy compiles the guards away, `Lab` reads them.
//!
//! ```
//! use kernel::{Limits, Release};
//! let mut pool = search::SearchPool::new(Release, 1, std::sync::Arc::new(kernel::clock::ManualClock::new()))?;
//! let outcome = pool.search(&chess::Game::default(), &[], Limits::depth(4), &mut |_: kernel::Event<'_, chess::Move>| {});
//! assert!(outcome.best.is_some());
//! # Ok::<(), kernel::table::TableTooLarge>(())
//! ```

mod bench;
mod bench_positions;
mod cluster;
mod correction;
mod evaluation;
mod frame;
mod history;
mod move_loop;
mod move_picker;
mod node;
mod parameters;
mod phase;
mod ply_statistics;
mod pool_settings;
mod quiescence;
mod root;
mod search_pool;
mod stack;
mod table_key;
mod tablebases;
mod team;
mod technique;
mod techniques;
mod variants;
mod worker;
mod worker_set;

pub use bench::{BENCH_DEPTH, BenchReport, bench};
pub use bench_positions::POSITIONS as BENCH_POSITIONS;
pub use cluster::{PeerSearch, Peers};
pub use history::{Histories, PieceTo};
pub use move_picker::{Arena, MovePicker, OrderingContext, Purpose, Stage};
pub use parameters::{Parameters, Reductions};
pub use phase::{Phase, PhaseProbe};
pub use ply_statistics::{PlyCounts, PlyStatistics, STATISTICS_PLIES};
pub use pool_settings::SearchPoolSettings;
pub use search_pool::SearchPool;
pub use table_key::table_key;
pub use tablebases::{RootProbe, TablebaseError, TablebaseResult, TablebaseSettings, Tablebases};
pub use team::{NodeSnapshot, Scheduler};
pub use technique::Technique;
pub use variants::{VARIANTS, Variant};
pub use worker::{Shared, Worker};
pub use worker_set::{CompiledPolicy, WorkerSet};
