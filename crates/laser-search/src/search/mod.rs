//! The search: principal variation search (PVS), quiescence search over zaps.

mod history;
mod node;
mod node_state;
mod parallel;
mod parameters;
mod picker;
mod quiescence;
mod searcher;
mod technique;
mod victim;
mod worker;
mod zap_generator;

pub(crate) use history::Histories;
pub(crate) use parallel::Scheduler;
pub use parameters::Parameters;
pub use technique::Technique;
pub(crate) use worker::{Shared, Worker};
