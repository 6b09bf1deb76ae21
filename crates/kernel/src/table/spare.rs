//! Memory of tables that ended, kept for the next ones of the same size.
//!
//! A WebAssembly module never gives memory back. Small pieces settle where a table was freed, the next table no longer fits
//! there, and the module grows by one more. Elsewhere the system takes the memory, and nothing is kept.

use super::cluster::Cluster;
use std::sync::Mutex;

/// Bytes kept in all. More is freed: somebody tried a large table once.
const MOST: usize = 256 << 20;
/// Smaller tables are not worth it.
const LEAST: usize = 1 << 20;

#[cfg(target_family = "wasm")]
pub(super) static SPARE: Spare = Spare(Mutex::new(Vec::new()));

pub(super) struct Spare(Mutex<Vec<Vec<Cluster>>>);

impl Spare {
    /// A kept table of this many clusters, cleared.
    pub(super) fn take(&self, count: usize) -> Option<Vec<Cluster>> {
        let mut kept = self.0.lock().ok()?;
        let place = kept.iter().position(|clusters| clusters.len() == count)?;
        let clusters = kept.swap_remove(place);
        drop(kept);
        clusters.iter().for_each(Cluster::clear);
        Some(clusters)
    }

    pub(super) fn keep(&self, clusters: Vec<Cluster>) {
        let Ok(mut kept) = self.0.lock() else { return };
        let bytes = |clusters: &Vec<Cluster>| clusters.len() * size_of::<Cluster>();
        if bytes(&clusters) >= LEAST && bytes(&clusters) + kept.iter().map(bytes).sum::<usize>() <= MOST {
            kept.push(clusters);
        }
    }

    /// Frees everything, for a table that does not fit beside it.
    pub(super) fn free(&self) {
        if let Ok(mut kept) = self.0.lock() {
            kept.clear();
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn clusters(megabytes: usize) -> Vec<Cluster> {
        (0..(megabytes << 20) / size_of::<Cluster>()).map(|_| Cluster::default()).collect()
    }

    #[test]
    fn memory_comes_back_to_tables_of_its_size_alone() {
        let spare = Spare(Mutex::default());
        let first = clusters(2);
        let (place, count) = (first.as_ptr(), first.len());
        spare.keep(first);
        assert!(spare.take(count / 2).is_none());
        let again = spare.take(count).unwrap();
        assert_eq!((again.as_ptr(), again.len()), (place, count));
        assert!(spare.take(count).is_none());
        spare.keep(again);
        spare.free();
        assert!(spare.take(count).is_none());
    }

    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn no_more_is_kept_than_a_page_can_spare() {
        let spare = Spare(Mutex::default());
        let large = clusters(MOST >> 20);
        let count = large.len();
        spare.keep(clusters(2));
        spare.keep(large);
        assert!(spare.take(count).is_none());
        spare.keep(vec![Cluster::default()]);
        assert!(spare.take(1).is_none());
    }
}
