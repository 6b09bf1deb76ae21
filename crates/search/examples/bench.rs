//! The node counts of the bench positions, the checksum of the search: with the network and with the hand-crafted
//! evaluation. `Bench: N` in commit messages is the first.
//!
//!     cargo run --profile quick -p search --example bench

use eval::nnue::Network;
use eval::{EvalTerms, Evaluation};
use kernel::Release;
use kernel::clock::ManualClock;
use search::{BENCH_DEPTH, SearchPool};
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let network = Evaluation::Network(Arc::new(Network::embedded()?));
    for (name, evaluation) in [("network", network), ("hce", Evaluation::HandCrafted(EvalTerms::ALL))] {
        let mut pool = SearchPool::new(Release, 16, Arc::new(ManualClock::new()))?;
        pool.set_evaluator(move || evaluation.evaluator());
        let report = search::bench(&mut pool, BENCH_DEPTH, &mut |_, _| {});
        println!("{name}: {} nodes", report.nodes);
    }
    Ok(())
}
