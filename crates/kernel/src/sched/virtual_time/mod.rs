//! Many workers on one core, reproducibly.
//!
//! Each worker has a clock of its own that advances by what its work costs ([`Costs`]). Only one
//! worker runs at a moment: the one whose clock is furthest behind, until it has spent about a
//! quantum. A run depends on nothing but the search, the number of workers, the quantum and the
//! seed; the same four give the same run, bit for bit.
//!
//! Two back ends keep the turns: [`fibers`] switch stacks on one thread and are fast; a [`token`]
//! passed among ordinary threads is slow, safe, and the twin against which the fibers are tested. In WebAssembly, where no
//! stack can be switched, there is only the token.

#[cfg(not(target_family = "wasm"))]
pub mod fibers;
mod order;
mod timeline;
pub mod token;

pub use timeline::{Backend, MOST_WORKERS, Pace, Timeline, Turn, VirtualSettings};

use super::thread_pool::ThreadPool;

/// Runs `main` and the other workers in virtual time until all have ended.
pub fn run<T: Send + 'static, R>(
    timeline: &std::sync::Arc<Timeline>,
    thread_pool: &mut ThreadPool,
    others: Vec<Turn<T>>,
    main: impl FnOnce(Pace) -> R,
) -> (R, Vec<Option<T>>) {
    match timeline.settings().backend {
        #[cfg(not(target_family = "wasm"))]
        Backend::Fibers => fibers::run(timeline, others, main),
        #[cfg(target_family = "wasm")]
        Backend::Fibers => token::run(timeline, thread_pool, others, main),
        Backend::Token => token::run(timeline, thread_pool, others, main),
    }
}

#[cfg(test)]
mod tests;
