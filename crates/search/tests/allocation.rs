//! A node allocates nothing: more nodes do not mean more allocations.
#![allow(clippy::unwrap_used)]

use chess::{Game, Move, Position};
use kernel::clock::ManualClock;
use kernel::{Event, Limits, Release};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting(AtomicU64);

// SAFETY: every call is handed on unchanged to the system allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.0.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are handed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are handed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting(AtomicU64::new(0));

#[test]
fn a_hundred_times_the_nodes_cost_no_more_memory_calls_per_node() {
    let mut pool = search::SearchPool::new(Release, 1, Arc::new(ManualClock::new())).unwrap();
    let fen = "r1b2rk1/ppq1bppp/2n1pn2/8/2BP4/P1N2N2/1P2QPPP/R1BR2K1 w - - 4 12";
    let game = Game::new(Position::from_fen(fen).unwrap());
    let mut reports = 0;
    let mut allocations = |nodes| {
        pool.clear();
        reports = 0;
        let before = ALLOCATOR.0.load(Ordering::Relaxed);
        pool.search(&game, &[], Limits::nodes(nodes), &mut |_: Event<'_, Move>| reports += 1);
        let spent = ALLOCATOR.0.load(Ordering::Relaxed) - before;
        (spent, reports)
    };
    let (few, few_reports) = allocations(3000);
    let (many, many_reports) = allocations(300_000);
    // Each report may copy the game's keys to check its line; nodes may do nothing of the kind.
    let allowed = few + 8 * (many_reports - few_reports);
    assert!(many <= allowed, "{few} for 3,000 nodes, {many} for 300,000, {many_reports} reports");
}
