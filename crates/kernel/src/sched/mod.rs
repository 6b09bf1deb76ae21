//! How the moves of one node are shared among workers: a few calls, and nothing else, in a node.
//!
//! A node function is written in three parts: what comes before the moves, the move loop, and what
//! comes after. It *opens* a [`MoveLoop`] at the start of the second part, is *offered* one move at
//! a time, and *joins* at the end. Alone, the loop object is plain locals ([`Solo`]). In Young
//! Brothers Wait ([`Ybwc`]) an owner publishes a copy of its frame from within `offer`; helpers
//! then run the same move-loop function with a loop object that stands for the shared node. In
//! ABDADA ([`Abdada`]) `offer` defers moves that another worker is searching. Lazy SMP shares no
//! nodes: its workers are [`Solo`] and meet in the table. With many workers, several teams of Young Brothers Wait
//! may meet there instead ([`ybwc_workers`]).
//!
//! Around the nodes: [`parallel_search()`] is one search by several workers; [`thread_pool`] keeps threads, [`virtual_time`] lets many workers take turns on one
//! thread by a clock of their own, and [`pace`] is the one small trait between them and a worker.

pub mod abdada;
mod affinity;
mod loop_types;
pub mod pace;
mod parallel;
mod parallel_search;
mod parallel_worker;
mod ranks;
mod scheduler;
mod solo;
mod solo_loop;
mod split_helper;
pub mod split_point;
mod split_view;
mod team;
pub mod thread_pool;
pub mod virtual_time;
pub mod ybwc;

pub use abdada::{Abdada, AbdadaLoop, CurrentlySearching};
pub use affinity::pin;
pub use loop_types::{GameMove, LoopResult, LoopUpdate, NodeInfo, RootMoveReport};
pub use pace::Pacer;
pub use parallel::{Parallel, UnknownParallel};
pub use parallel_search::{SearchEnd, parallel_search};
pub use parallel_worker::{ParallelWorker, helper_plan, search_root_as_helper};
pub use ranks::{RankWorkers, Ranks};
pub use scheduler::{MoveLoop, Scheduler, SplitHelper};
pub use solo::Solo;
pub use solo_loop::SoloLoop;
pub use split_helper::{help_ybwc, join_split_point, serve_split_points};
pub use split_point::SplitPoint;
pub use team::{SplitSettings, Team, even_teams};
pub use thread_pool::{ThreadPool, workers_that_fit};
pub use virtual_time::{Timeline, VirtualSettings};
pub use ybwc::{Ybwc, YbwcLoop, ybwc_teams, ybwc_workers};
