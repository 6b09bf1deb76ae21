//! The engine as programs see it: a game, options, and searches that can be started, stopped and listened to.
//!
//! No text of any protocol, no standard streams, no wall clock: a [`Clock`] is injected, so that tests, virtual time and
//! several engines in one process all use the same code.
//!
//! Imports point one way: options turn a text into [`Settings`] and an effect, the search thread carries out orders on
//! its pool of workers, the play modes choose moves with it, and [`Engine`] puts them together.

mod announced_opponent;
mod bench;
mod cluster;
mod engine;
mod evaluation;
mod fault;
mod options;
mod perft;
mod play_mode;
mod policy_pool;
mod report;
mod request;
mod search_thread;
mod settings;
mod stop_signal;
mod techniques;

pub use announced_opponent::Opponent;
pub use cluster::Cluster;
pub use engine::Engine;
pub use fault::Fault;
pub use kernel::{Clock, SearchStatistics};
pub use opponent::human_like::Character;
pub use options::OptionTable;
pub use options::error::OptionError;
pub use options::spec::{OptionKind, OptionSpec};
pub use perft::MAX_PERFT_DEPTH;
pub use report::{Information, Listener, Report};
pub use request::Request;
pub use search::{BENCH_DEPTH, BenchReport, PeerSearch, Peers, PlyCounts, PlyStatistics};
pub use search_thread::Interrupter;
pub use settings::{Settings, Speculative};

#[cfg(test)]
mod tests;
