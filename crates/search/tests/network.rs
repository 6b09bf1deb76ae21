//! The search with the network: the same tree on every CPU level.
#![allow(clippy::unwrap_used)]

use eval::Evaluator;
use eval::nnue::simd::Level;
use eval::nnue::{self, Network};
use kernel::Release;
use kernel::clock::ManualClock;
use search::{SearchPool, bench};
use std::sync::Arc;

#[test]
fn the_bench_is_the_same_on_every_level() {
    let network = Arc::new(Network::embedded().unwrap());
    let nodes = |level: Level| {
        let network = Arc::clone(&network);
        let mut pool = SearchPool::new(Release, 4, Arc::new(ManualClock::new())).unwrap();
        pool.set_evaluator(move || {
            Evaluator::Network(Box::new(nnue::Evaluator::at_level(Arc::clone(&network), level)))
        });
        bench(&mut pool, 7, &mut |_, _| {}).nodes
    };
    let expected = nodes(Level::SCALAR);
    for level in Level::available() {
        assert_eq!(nodes(level), expected, "{}", level.name());
    }
}
