//! Storms of orders: whatever comes in whatever order, every search ends with one answer and nothing hangs.
#![allow(clippy::unwrap_used)]

use common::Random;
use engine::{Clock, Engine, Report, Request};
use kernel::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

struct Wall(Instant);

impl Clock for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

const OPTIONS: [(&str, &[&str]); 8] = [
    ("Threads", &["1", "2", "3", "5", "0", "99999"]),
    ("Parallel", &["lazy", "ybwc", "abdada", "teams", "magic"]),
    ("Hash", &["1", "2"]),
    ("VirtualThreads", &["0", "0", "4", "7", "257"]),
    ("VirtualSeed", &["1", "2"]),
    ("MultiPV", &["1", "3"]),
    ("SplitDepth", &["1", "4"]),
    ("TeamSize", &["1", "2", "3", "0"]),
];

fn script(seed: u64, orders: usize) {
    let mut random = Random::new(seed);
    let mut engine = Engine::new(Arc::new(Wall(Instant::now()))).unwrap();
    let answers = Arc::new(AtomicUsize::new(0));
    let mut asked = 0;
    for _ in 0..orders {
        match random.below(8) {
            0..=2 => {
                let limits = match random.below(3) {
                    0 => Limits::depth(1 + random.below(5) as i32),
                    1 => Limits::nodes(random.below(3000) as u64),
                    _ => Limits { infinite: true, ..Limits::default() },
                };
                let answers = Arc::clone(&answers);
                engine.go(
                    Request::new(limits),
                    Box::new(move |report| {
                        if let Report::Best { best, .. } = report {
                            assert!(best.is_some());
                            answers.fetch_add(1, Ordering::SeqCst);
                        }
                    }),
                );
                asked += 1;
            }
            3 | 4 => engine.stop(),
            5 => engine.new_game().unwrap(),
            _ => {
                let (name, values) = OPTIONS[random.below(OPTIONS.len())];
                let value = values[random.below(values.len())];
                // Some values are wrong on purpose; the engine goes on with what it had.
                let _ = engine.set_option(name, Some(value));
            }
        }
    }
    engine.finish();
    assert_eq!(answers.load(Ordering::SeqCst), asked, "seed {seed}");
}

#[test]
fn every_search_of_a_storm_gets_its_answer() {
    for seed in 1..=60 {
        script(seed, 25);
    }
}

/// The long one: `cargo test -p engine --test storm -- --ignored`.
#[test]
#[ignore = "ten thousand scripts take minutes"]
fn ten_thousand_storms() {
    for seed in 1..=10_000 {
        script(seed, 12);
    }
}
