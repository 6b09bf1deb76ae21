//! The published perft suites, line by line.
//!
//! Every run counts each line as deep as a few million leaves go. The full depths, nearly three million million leaves,
//! are counted with a table that remembers positions met before: `TABIYA_THREADS=2 cargo test --release -p chess --test
//! suites -- --ignored --nocapture`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod support;

use chess::{PerftTable, Position, perft, perft_hashed};
use std::fs;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

struct Line {
    position: Position,
    /// Depth and leaves.
    counts: Vec<(u32, u64)>,
    text: String,
}

/// `FEN ;D1 20 ;D2 400 # remark`. A FEN without clocks is an EPD's four fields.
fn lines(file: &str) -> Vec<Line> {
    let content = fs::read_to_string(support::data("perft").join(file)).unwrap();
    let read = |text: &str| {
        let mut parts = text.split('#').next().unwrap_or_default().split(';');
        let fen = parts.next().unwrap_or_default().trim();
        let clocks = if fen.split(' ').count() == 4 { " 0 1" } else { "" };
        let position =
            Position::from_fen(&format!("{fen}{clocks}")).unwrap_or_else(|e| panic!("{text}: {e}"));
        let count = |field: &str| {
            let (depth, leaves) = field.trim().strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok()?, leaves.trim().parse().ok()?))
        };
        let counts = parts.map(|field| count(field).unwrap_or_else(|| panic!("{text}: '{field}'"))).collect();
        Line { position, counts, text: text.to_string() }
    };
    content.lines().filter(|text| !text.trim().is_empty()).map(read).collect()
}

/// Counts the deepest entry of each line within `limit` leaves, for every so many lines, on so many threads.
fn count(file: &str, limit: u64, every: usize, threads: usize) {
    let lines = lines(file);
    let chosen: Vec<&Line> = lines.iter().step_by(every).collect();
    let start = Instant::now();
    let (next, checked, leaves) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut table = (limit == u64::MAX).then(|| PerftTable::new(128));
                while let Some(line) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let within = line.counts.iter().rev().find(|(_, leaves)| *leaves <= limit);
                    let Some((depth, expected)) = within else { continue };
                    let counted = match &mut table {
                        Some(table) => perft_hashed(&line.position, *depth, table),
                        None => perft(&line.position, *depth),
                    };
                    assert_eq!(counted, *expected, "{file}: {} at depth {depth}", line.text);
                    checked.fetch_add(1, Ordering::Relaxed);
                    leaves.fetch_add(counted, Ordering::Relaxed);
                }
            });
        }
    });
    let (checked, leaves) = (checked.into_inner(), leaves.into_inner());
    assert!(checked * 10 >= chosen.len() * 9, "{file}: only {checked} lines within {limit} leaves");
    eprintln!(
        "{file}: {checked} lines, {leaves} leaves, {:.1} s on {threads} threads",
        start.elapsed().as_secs_f64()
    );
}

#[test]
fn standard_shallow() {
    count("standard.epd", 3_000_000, 1, 1);
}

#[test]
fn tricky_in_full() {
    count("tricky.epd", u64::MAX, 1, 1);
}

#[test]
fn chess960_shallow() {
    count("chess960.epd", 1_000_000, 1, 1);
}

#[test]
fn marcel_shallow() {
    count("marcel.epd", 1_000_000, 4, 1);
}

fn in_full(file: &str) {
    let threads = std::env::var("TABIYA_THREADS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    count(file, u64::MAX, 1, threads);
}

#[test]
#[ignore = "ten seconds in release: 13 billion leaves"]
fn standard_in_full() {
    in_full("standard.epd");
}

#[test]
#[ignore = "five minutes in release: 430 billion leaves"]
fn chess960_in_full() {
    in_full("chess960.epd");
}

#[test]
#[ignore = "half an hour in release: 2.5 trillion leaves"]
fn marcel_in_full() {
    in_full("marcel.epd");
}
