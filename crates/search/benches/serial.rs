//! One worker searches the bench positions, and nothing else runs: what `make instructions` counts.
//!
//!     cargo bench -p search --bench serial -- 10
//!
//! The argument is the depth (default 10). Two depths give instructions a node, free of what a clean state costs.

use kernel::Release;
use kernel::clock::ManualClock;
use search::SearchPool;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo adds `--bench`.
    let depth =
        std::env::args().skip(1).find(|word| word != "--bench").map_or(Ok(10), |word| word.parse())?;
    let mut pool = SearchPool::new(Release, 1, Arc::new(ManualClock::new()))?;
    let report = search::bench(&mut pool, depth, &mut |_, _| {});
    println!("{} nodes", report.nodes);
    Ok(())
}
