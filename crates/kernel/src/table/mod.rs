//! The transposition table (TT): lock-free (Hyatt and Mann 2002), shared by all workers through `&Table`.
//!
//! Invariants:
//! * every access is a relaxed atomic load or store: a race is a miss, never undefined behaviour;
//! * an entry whose tag and data come from two different writers fails the check and is a miss
//!   (one torn pair in 65,536 slips through, as any two keys with equal tags do; so a move from
//!   the table is always checked for legality by the game);
//! * a new table is made after the old one is freed; when memory is short, an empty one of the old size takes its place.

mod cluster;
mod entry;
mod locks;
mod pages;
#[cfg(any(test, target_family = "wasm"))]
mod spare;

pub use entry::Entry;
pub use locks::SetGuard;

use crate::bound::Bound;
use crate::depth::Depth;
use crate::prefetch::prefetch;
use cluster::{Cluster, SLOTS};
use entry::{AGES, Packed};
use locks::SetLocks;
use std::fmt;
use std::num::NonZeroU16;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread::Builder;

const MEGABYTE: usize = 1 << 20;

/// The transposition table (TT).
pub struct Table {
    clusters: Vec<Cluster>,
    age: AtomicU8,
    /// Made on first use.
    locks: OnceLock<SetLocks>,
}

impl Default for Table {
    /// The smallest table that works.
    fn default() -> Self {
        Self { clusters: vec![Cluster::default()], age: AtomicU8::new(0), locks: OnceLock::new() }
    }
}

/// The memory for a table could not be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableTooLarge {
    /// What was asked for.
    pub megabytes: usize,
}

impl fmt::Display for TableTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table of {} MB: not enough memory", self.megabytes)
    }
}

impl std::error::Error for TableTooLarge {}

impl Table {
    /// A table of `megabytes` MB; zero means the smallest table that works.
    pub fn new(megabytes: usize) -> Result<Self, TableTooLarge> {
        Ok(Self { clusters: allocate(megabytes)?, age: AtomicU8::new(0), locks: OnceLock::new() })
    }

    /// Replaces the memory, the old one first being freed: both together may not fit. On failure the table is empty and
    /// has its old size, or the smallest size if even that is no longer to be had.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TableTooLarge> {
        let bytes = megabytes.checked_mul(MEGABYTE).ok_or(TableTooLarge { megabytes })?;
        if bytes / size_of::<Cluster>() == self.clusters.len() {
            return Ok(());
        }
        let old = self.megabytes();
        *self = Self::default();
        let allocated = allocate(megabytes);
        let result = allocated.as_ref().map(|_| ()).map_err(|error| *error);
        if let Ok(clusters) = allocated.or_else(|_| allocate(old)) {
            self.clusters = clusters;
        }
        result
    }

    /// Clears the table with `threads` threads.
    pub fn clear(&self, threads: usize) {
        self.clear_with(threads, Builder::new);
    }

    /// As [`Table::clear`], with threads made by `builder`. What a refused thread was to clear, the caller's thread clears.
    fn clear_with(&self, threads: usize, builder: impl Fn() -> Builder) {
        let share = self.clusters.len().div_ceil(threads.max(1));
        let mut parts = self.clusters.chunks(share);
        let own = parts.next().unwrap_or_default();
        std::thread::scope(|scope| {
            for part in parts {
                let clear = move || part.iter().for_each(Cluster::clear);
                if builder().spawn_scoped(scope, clear).is_err() {
                    clear();
                }
            }
            own.iter().for_each(Cluster::clear);
        });
        self.age.store(0, Ordering::Relaxed);
    }

    /// Marks what is in the table as older than what comes now.
    pub fn new_search(&self) {
        let next = (self.age.load(Ordering::Relaxed) + 1) % AGES;
        self.age.store(next, Ordering::Relaxed);
    }

    /// Size in megabytes, rounded down.
    pub fn megabytes(&self) -> usize {
        self.clusters.len() * size_of::<Cluster>() / MEGABYTE
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.clusters[self.index(key)].find(tag(key)).map(|(_, packed)| packed.unpack())
    }

    /// Brings the position's cluster into the cache ahead of its probe.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.clusters[self.index(key)]);
    }

    /// Remembers a result. A shallower result of the same search does not replace a deeper one of
    /// the same position, and a result without a move keeps the move already known.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let cluster = &self.clusters[self.index(key)];
        let tag = tag(key);
        let age = self.age.load(Ordering::Relaxed);
        let slot = if let Some((slot, old)) = cluster.find(tag) {
            if entry.best.is_none() {
                entry.best = old.best();
            }
            let is_exact = entry.bound == Bound::Exact;
            let reach = entry.depth.plies() + 4 + 2 * i32::from(entry.pv);
            if !is_exact && old.age() == age && reach <= old.depth().plies() {
                return;
            }
            slot
        } else {
            (0..SLOTS).min_by_key(|&slot| cluster.data(slot).replacement_value(age)).unwrap_or(0)
        };
        cluster.write(slot, tag, Packed::pack(&entry, age));
    }

    /// Locks the position's set, for studies of a table with locks. The table needs none: nothing but other holders of
    /// such a lock waits for it.
    pub fn lock(&self, key: u64) -> SetGuard<'_> {
        self.locks.get_or_init(|| SetLocks::new(self.clusters.len())).lock(self.index(key))
    }

    /// Adds a best move to a position without one, leaving everything else.
    pub fn suggest(&self, key: u64, best: NonZeroU16) {
        let known = self.probe(key);
        let entry = Entry { best: Some(best), ..known.unwrap_or_default() };
        self.store(key, entry);
    }

    /// How full the table is with entries of the present search, in thousandths.
    pub fn permille_used(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(1000)];
        let used = sample
            .iter()
            .flat_map(|cluster| (0..SLOTS).map(|slot| cluster.data(slot)))
            .filter(|packed| !packed.is_empty() && packed.age() == age)
            .count();
        (used * 1000 / (sample.len() * SLOTS).max(1)) as u32
    }

    /// Multiply-shift maps the key onto any number of clusters, not only powers of two.
    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({} MB)", self.megabytes())
    }
}

/// The index uses the high bits of the key, the tag the low ones.
#[inline]
fn tag(key: u64) -> u16 {
    key as u16
}

/// See `spare.rs`.
#[cfg(target_family = "wasm")]
impl Drop for Table {
    fn drop(&mut self) {
        spare::SPARE.keep(std::mem::take(&mut self.clusters));
    }
}

fn allocate(megabytes: usize) -> Result<Vec<Cluster>, TableTooLarge> {
    let too_large = TableTooLarge { megabytes };
    let bytes = megabytes.checked_mul(MEGABYTE).ok_or(too_large)?;
    let count = (bytes / size_of::<Cluster>()).max(1);
    let mut clusters = Vec::new();
    #[cfg(target_family = "wasm")]
    {
        if let Some(kept) = spare::SPARE.take(count) {
            return Ok(kept);
        }
        if clusters.try_reserve_exact(count).is_err() {
            spare::SPARE.free();
        }
    }
    clusters.try_reserve_exact(count).map_err(|_| too_large)?;
    pages::prefer_large(clusters.spare_capacity_mut());
    clusters.resize_with(count, Cluster::default);
    Ok(clusters)
}

/// The deepest depth an entry can hold.
pub const DEEPEST: Depth = Depth::new(u8::MAX as i32);

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::score::Score;
    use common::Random;

    fn random_entry(random: &mut Random) -> Entry {
        let word = random.next_u64();
        Entry {
            best: NonZeroU16::new(word as u16),
            score: ((word >> 16) as i16).clamp(-32_000, 32_000),
            eval: (word & (1 << 40) == 0)
                .then(|| Score::centipawns(i32::from((word >> 24) as i16).clamp(-9000, 9000))),
            depth: Depth::new((word >> 44) as i32 & 0x7f),
            bound: Bound::from_bits(1 + (word >> 52) as u8 % 3),
            pv: word >> 63 != 0,
        }
    }

    #[test]
    fn what_is_stored_is_found_again_or_missed_never_altered() {
        let table = Table::new(usize::from(!cfg!(miri))).unwrap();
        let mut random = Random::new(1);
        let mut found = 0;
        let count = if cfg!(miri) { 60 } else { 200_000 };
        for _ in 0..count {
            let key = random.next_u64();
            let entry = random_entry(&mut random);
            if table.probe(key).is_some() {
                // Another key of this cluster with the same tag: indistinguishable by design.
                continue;
            }
            table.store(key, entry);
            if let Some(seen) = table.probe(key) {
                assert_eq!(seen.score, entry.score);
                assert_eq!(seen.eval, entry.eval);
                assert_eq!(seen.depth, entry.depth);
                assert_eq!(seen.bound, entry.bound);
                assert!(entry.best.is_none() || seen.best == entry.best);
                found += 1;
            }
        }
        assert!(found * 100 > count * 99, "{found} of {count}");
    }

    #[test]
    fn an_empty_table_knows_nothing() {
        let table = Table::new(0).unwrap();
        for key in [0, 1, 0x1_0000, u64::MAX] {
            assert_eq!(table.probe(key), None);
        }
        assert_eq!(table.permille_used(), 0);
    }

    #[test]
    fn a_fail_low_keeps_the_move_and_a_shallow_result_keeps_the_deep_one() {
        let table = Table::new(0).unwrap();
        let best = NonZeroU16::new(77);
        let deep = Entry { best, score: 30, depth: Depth::new(12), bound: Bound::Lower, ..Entry::default() };
        table.store(5, deep);
        let fail_low = Entry { score: -10, depth: Depth::new(11), bound: Bound::Upper, ..Entry::default() };
        table.store(5, fail_low);
        let seen = table.probe(5).unwrap();
        assert_eq!((seen.best, seen.score), (best, -10));
        let shallow = Entry { score: 99, depth: Depth::new(1), bound: Bound::Upper, ..Entry::default() };
        table.store(5, shallow);
        assert_eq!(table.probe(5).unwrap().score, -10);
        table.new_search();
        table.store(5, shallow);
        assert_eq!(table.probe(5).unwrap().score, 99);
    }

    #[test]
    fn replacement_sacrifices_the_old_and_the_shallow() {
        let table = Table::new(0).unwrap();
        let entry =
            |depth| Entry { score: 1, depth: Depth::new(depth), bound: Bound::Exact, ..Entry::default() };
        table.store(1, entry(20));
        table.store(2, entry(3));
        table.store(3, entry(9));
        table.store(4, entry(5));
        assert!(table.probe(2).is_none(), "the shallowest goes first");
        for _ in 0..8 {
            table.new_search();
        }
        table.store(3, entry(9));
        table.store(4, entry(5));
        table.store(5, entry(1));
        assert!(table.probe(1).is_none(), "an old entry goes before a fresh shallow one");
        assert!(table.probe(4).is_some());
    }

    #[test]
    #[cfg_attr(miri, ignore = "touches megabytes one word at a time")]
    fn an_impossible_size_is_refused_and_the_size_stays() {
        let mut table = Table::new(1).unwrap();
        table.store(9, Entry { score: 4, bound: Bound::Exact, ..Entry::default() });
        for megabytes in [usize::MAX, usize::MAX >> 20] {
            assert_eq!(table.resize(megabytes), Err(TableTooLarge { megabytes }));
        }
        assert_eq!(table.megabytes(), 1);
        assert_eq!(table.probe(9), None, "the old table was freed first");
        table.store(9, Entry { score: 4, bound: Bound::Exact, ..Entry::default() });
        table.resize(1).unwrap();
        assert_eq!(table.probe(9).unwrap().score, 4, "the same size is no change");
        table.clear(3);
        assert_eq!(table.probe(9), None);
        table.resize(2).unwrap();
        assert_eq!(table.megabytes(), 2);
    }

    #[test]
    #[cfg_attr(miri, ignore = "touches megabytes one word at a time")]
    fn refused_threads_leave_the_clearing_to_the_caller() {
        let table = Table::new(1).unwrap();
        let keys = (0..64).map(|index| Random::nth(3, index));
        for key in keys.clone() {
            table.store(key, Entry { score: 4, bound: Bound::Exact, ..Entry::default() });
        }
        // No address space holds such a stack, so the system refuses every thread.
        table.clear_with(8, || Builder::new().stack_size(1 << 60));
        assert!(keys.map(|key| table.probe(key)).all(|entry| entry.is_none()));
    }

    #[test]
    fn threads_never_see_a_mixed_entry() {
        let table = Table::new(0).unwrap();
        // Score and depth are a function of the key: a mixed entry betrays itself.
        let rounds = if cfg!(miri) { 40 } else { 50_000 };
        let failures = AtomicU8::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let (table, failures) = (&table, &failures);
                scope.spawn(move || {
                    let mut random = Random::new(thread);
                    for _ in 0..rounds {
                        let key = random.next_u64() % 8 + 1;
                        let score = (key * 1000) as i16;
                        let depth = Depth::new(key as i32);
                        table.store(key, Entry { score, depth, bound: Bound::Exact, ..Entry::default() });
                        let asked = random.next_u64() % 8 + 1;
                        if let Some(seen) = table.probe(asked)
                            && (seen.score != (asked * 1000) as i16 || seen.depth != Depth::new(asked as i32))
                        {
                            failures.store(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        assert_eq!(failures.load(Ordering::Relaxed), 0);
    }
}
