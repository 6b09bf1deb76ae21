//! Game-independent search machinery.
//!
//! What is absent from this crate: any piece, any board, any rule of any game; printing; the
//! wall clock (a [`clock::Clock`] is injected); mutable global state. Two engines with different
//! parameters live side by side in one process.
//!
//! The layers, each in its own file:
//! * numbers: [`score`], [`window`], [`bound`], [`depth`], [`history`]
//! * memory: [`table`], [`prefetch`](mod@prefetch), [`line`](mod@line)
//! * time: [`limits`], [`clock`], [`time`], [`control`], [`stop`], [`node_counter`]
//! * search: [`root_moves`], [`aspiration`], [`driver`], [`shared_progress`], [`event`], [`sched`], [`exchange`]
//! * study: [`technique`], [`tunables`](mod@tunables), [`counters`]

pub mod aspiration;
pub mod bound;
pub mod clock;
pub mod control;
pub mod counters;
pub mod depth;
pub mod driver;
pub mod event;
pub mod exchange;
pub mod history;
pub mod limits;
pub mod line;
pub mod node_counter;
pub mod node_kind;
pub mod prefetch;
pub mod root_moves;
pub mod sched;
pub mod score;
pub mod shared_progress;
pub mod stop;
pub mod table;
pub mod technique;
pub mod time;
pub mod tunables;
pub mod window;

pub use bound::Bound;
pub use clock::Clock;
pub use control::Control;
pub use depth::{Depth, MAX_PLY};
pub use driver::{Outcome, Role, Searcher};
pub use event::{Event, Info, Sink};
pub use limits::{Limits, PlayClock};
pub use line::Line;
pub use node_counter::{NodeCounter, SearchSession, SearchStatistics};
pub use node_kind::{NodeKind, NodeType, NonPv, Pv, Root};
pub use root_moves::{RootMove, RootMoves};
pub use score::{Kind, Score};
pub use shared_progress::SharedProgress;
pub use stop::Stop;
pub use table::{Entry, Table};
pub use technique::{Lab, Policy, Release, Technique, TechniqueSet};
pub use window::Window;
