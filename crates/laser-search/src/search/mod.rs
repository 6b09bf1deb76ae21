//! The search: principal variation search with a scout, quiescence over zaps.

mod history;
mod node;
mod parameters;
mod picker;
mod quiescence;
mod team;
mod technique;
mod worker;
mod zaps;

pub(crate) use history::Histories;
pub use parameters::Parameters;
pub(crate) use team::Scheduler;
pub use technique::Technique;
pub(crate) use worker::{Shared, Worker};
