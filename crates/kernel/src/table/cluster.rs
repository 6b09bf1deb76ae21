//! Three entries that share half a cache line.
//!
//! Words 0, 1 and 2 hold one entry each, so an entry itself can never be torn. Word 3 holds the
//! three tags. A tag is stored as the exclusive or with the fold of its data (after Hyatt's lockless hashing):
//! when a tag and its data come from two different stores, the fold no longer cancels and the
//! lookup misses. That also covers the lost update of word 3 when two workers write two slots of
//! the same cluster at once.

use super::entry::Packed;
#[cfg(loom)]
use loom::sync::atomic::AtomicU64;
#[cfg(not(loom))]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

pub(super) const SLOTS: usize = 3;
const TAGS: usize = 3;

#[derive(Default)]
#[repr(align(32))]
pub(super) struct Cluster([AtomicU64; 4]);

#[cfg(not(loom))]
const _: () = assert!(size_of::<Cluster>() == 32 && align_of::<Cluster>() == 32);

impl Cluster {
    pub(super) fn clear(&self) {
        self.0.iter().for_each(|word| word.store(0, Relaxed));
    }

    /// The slot and entry whose tag matches.
    #[inline]
    pub(super) fn find(&self, tag: u16) -> Option<(usize, Packed)> {
        let tags = self.0[TAGS].load(Relaxed);
        for slot in 0..SLOTS {
            let data = self.data(slot);
            if (tags >> (16 * slot)) as u16 ^ data.fold() == tag && !data.is_empty() {
                return Some((slot, data));
            }
        }
        None
    }

    #[inline]
    pub(super) fn data(&self, slot: usize) -> Packed {
        Packed(self.0[slot].load(Relaxed))
    }

    #[inline]
    pub(super) fn write(&self, slot: usize, tag: u16, data: Packed) {
        let shift = 16 * slot;
        let tags = self.0[TAGS].load(Relaxed) & !(0xffff << shift);
        self.0[slot].store(data.0, Relaxed);
        self.0[TAGS].store(tags | u64::from(tag ^ data.fold()) << shift, Relaxed);
    }
}

/// Run with `RUSTFLAGS="--cfg loom" cargo test -p kernel --release loom`.
#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;

    /// Every interleaving of two writers and a reader: the reader sees one of the whole stores or
    /// nothing.
    #[test]
    fn loom_no_torn_entry_is_ever_returned() {
        loom::model(|| {
            let cluster = Arc::new(Cluster::default());
            let stores =
                [(0x1111_u16, Packed(0x0003_0001_0000_0007)), (0x2222, Packed(0x0500_0002_4000_0009))];
            let writers: Vec<_> = stores
                .into_iter()
                .map(|(tag, data)| {
                    let cluster = Arc::clone(&cluster);
                    loom::thread::spawn(move || cluster.write(0, tag, data))
                })
                .collect();
            for (tag, data) in stores {
                if let Some((_, seen)) = cluster.find(tag) {
                    assert_eq!(seen, data);
                }
            }
            for writer in writers {
                assert!(writer.join().is_ok());
            }
        });
    }

    /// Two writers of different slots may lose one tag, but never mix them up.
    #[test]
    fn loom_a_lost_tag_update_is_a_miss() {
        loom::model(|| {
            let cluster = Arc::new(Cluster::default());
            let stores =
                [(0, 0x1111_u16, Packed(0x0003_0001_0000_0007)), (1, 0x2222, Packed(0x0500_0002_4000_0009))];
            let writers: Vec<_> = stores
                .into_iter()
                .map(|(slot, tag, data)| {
                    let cluster = Arc::clone(&cluster);
                    loom::thread::spawn(move || cluster.write(slot, tag, data))
                })
                .collect();
            for writer in writers {
                assert!(writer.join().is_ok());
            }
            for (slot, tag, data) in stores {
                if let Some(seen) = cluster.find(tag) {
                    assert_eq!(seen, (slot, data));
                }
            }
        });
    }
}
