//! The chess search.
//!
//! A [`Worker`] owns what one thread searches with; [`Shared`] is what all of them see. A [`Crew`]
//! is the whole: workers, table, clock, and the orders they listen to. Every technique is a switch
//! ([`Technique`]) with one guard; the `Release` policy compiles the guards away, `Lab` reads them.
//!
//! ```
//! use kernel::{Limits, Release};
//! let mut crew = search::Crew::new(Release, 1, std::sync::Arc::new(kernel::clock::ManualClock::new()))?;
//! let outcome = crew.search(&chess::Game::default(), &[], Limits::depth(4), &mut |_: kernel::Event<'_, chess::Move>| {});
//! assert!(outcome.best.is_some());
//! # Ok::<(), kernel::table::TableTooLarge>(())
//! ```

mod bench;
mod bench_positions;
mod correction;
mod crew;
mod crew_settings;
mod evaluation;
mod history;
mod kind;
mod ledger;
mod move_loop;
mod node;
mod parameters;
mod phase;
mod picker;
mod qnode;
mod stack;
mod tablebases;
mod team;
mod technique;
mod techniques;
mod variants;
mod worker;

pub use bench::{BENCH_DEPTH, BenchReport, bench};
pub use bench_positions::POSITIONS as BENCH_POSITIONS;
pub use crew::Crew;
pub use crew_settings::CrewSettings;
pub use history::{Footprint, Histories};
pub use ledger::{LEDGER_PLIES, Ledger, LedgerRow};
pub use node::table_key;
pub use parameters::{Parameters, Reductions};
pub use phase::{Beacon, Phase};
pub use picker::{Arena, Picker, Purpose, Stage, View};
pub use tablebases::{TablebaseError, TablebaseSettings, Tablebases, Verdict as TablebaseVerdict};
pub use team::{Scheduler, Visit};
pub use technique::Technique;
pub use variants::{VARIANTS, Variant};
pub use worker::{Shared, Worker};
