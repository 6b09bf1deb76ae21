//! The techniques, one small method each, with one guard and one source.

pub(crate) mod bounds;
pub(crate) mod history_updates;
pub(crate) mod pruning;
pub(crate) mod reductions;
pub(crate) mod shortcuts;
pub(crate) mod singular;
