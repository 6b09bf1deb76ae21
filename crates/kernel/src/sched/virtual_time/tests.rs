use super::timeline::NODE_NANOSECONDS;
use super::*;
use crate::clock::Clock;
use crate::sched::ThreadPool;
use crate::sched::pace::Costs;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Every worker writes down when it had its turns.
fn log(backend: Backend, workers: usize, seed: u64) -> Vec<(usize, u64)> {
    let settings = VirtualSettings { workers, quantum: 8, seed, backend, ..VirtualSettings::default() };
    let timeline = Arc::new(Timeline::new(settings));
    let log = Arc::new(Mutex::new(Vec::new()));
    let work = |worker: usize, log: Arc<Mutex<Vec<(usize, u64)>>>| {
        move |pace: Pace| {
            let mut spent = 0;
            let mut budget = pace.give_way(0);
            for _ in 0..40 {
                spent += budget * pace.costs().node * (1 + worker as u64 % 3);
                log.lock().unwrap().push((worker, spent));
                budget = pace.give_way(spent);
            }
            worker
        }
    };
    let others = (1..workers).map(|worker| Box::new(work(worker, Arc::clone(&log))) as Turn<usize>).collect();
    let mut thread_pool = ThreadPool::new(false);
    let (first, answers) = run(&timeline, &mut thread_pool, others, work(0, Arc::clone(&log)));
    assert_eq!(first, 0);
    assert_eq!(answers, (1..workers).map(Some).collect::<Vec<_>>());
    let log = log.lock().unwrap();
    log.clone()
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_seed_another() {
    assert_eq!(log(Backend::Fibers, 5, 1), log(Backend::Fibers, 5, 1));
    assert_ne!(log(Backend::Fibers, 5, 1), log(Backend::Fibers, 5, 2));
}

#[test]
fn fibers_and_baton_are_twins() {
    for workers in [1, 2, 7] {
        assert_eq!(log(Backend::Fibers, workers, 3), log(Backend::Token, workers, 3));
    }
}

#[test]
fn whoever_is_behind_goes_first() {
    let turns = log(Backend::Fibers, 6, 4);
    assert_eq!(turns.len(), 240);
    // Nobody is ever more than a turn or two ahead of somebody who still has work to do.
    let longest = 12 * Costs::default().node * 3;
    for (place, (worker, time)) in turns.iter().enumerate() {
        for other in 0..6 {
            let before = turns[..place].iter().rev().find(|(who, _)| *who == other);
            let after = turns[place..].iter().any(|(who, _)| *who == other);
            if let (Some((_, behind)), true) = (before, after) {
                assert!(behind + 3 * longest >= *time, "{worker} at {time}, {other} at {behind}");
            }
        }
    }
}

#[test]
fn time_goes_on_from_search_to_search() {
    let timeline = Arc::new(Timeline::new(VirtualSettings::default()));
    let mut thread_pool = ThreadPool::new(false);
    for round in 1..4_u64 {
        run(&timeline, &mut thread_pool, Vec::<Turn<()>>::new(), |pace| {
            pace.give_way(1600);
        });
        assert_eq!(timeline.now(), Duration::from_nanos(round * 100 * NODE_NANOSECONDS));
    }
}

#[test]
fn two_hundred_and_fifty_six_workers_fit() {
    assert_eq!(log(Backend::Fibers, 256, 1).len(), 256 * 40);
}
