//! Several workers on real chess positions: what every scheduler must keep whatever the order of events.
#![allow(clippy::unwrap_used)]

use chess::{Game, Move, Position};
use kernel::clock::ManualClock;
use kernel::counters::Count;
use kernel::sched::virtual_time::Backend;
use kernel::sched::{Parallel, SplitSettings, VirtualSettings};
use kernel::{Event, Lab, Limits, Outcome, Release, TechniqueSet};
use search::{CompiledPolicy, SearchPool, SearchPoolSettings, Technique};
use std::sync::Arc;
use std::time::Duration;

const FENS: [&str; 5] = [
    "r1b2rk1/ppq1bppp/2n1pn2/8/2BP4/P1N2N2/1P2QPPP/R1BR2K1 w - - 4 12",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

fn pool<P: CompiledPolicy>(policy: P, settings: SearchPoolSettings) -> SearchPool<P> {
    let mut pool = SearchPool::new(policy, 1, Arc::new(ManualClock::new())).unwrap();
    pool.set_pool_settings(settings).unwrap();
    pool
}

fn virtual_pool(way: Parallel, workers: usize, quantum: u64, seed: u64) -> SearchPoolSettings {
    let virtual_time = Some(VirtualSettings { workers, quantum, seed, ..VirtualSettings::default() });
    let split = SplitSettings { min_depth: 1, ..SplitSettings::default() };
    SearchPoolSettings {
        parallel: way,
        virtual_time,
        split,
        team_size: 3,
        defer_depth: 1,
        ..SearchPoolSettings::default()
    }
}

fn search<P: CompiledPolicy>(pool: &mut SearchPool<P>, fen: &str, depth: i32) -> (Outcome<Move>, u64) {
    pool.clear();
    let outcome = pool.search(&game(fen), &[], Limits::depth(depth), &mut |_: Event<'_, Move>| {});
    (outcome, pool.counters()[Count::Nodes])
}

/// Alpha-beta with a scout and quiescence, and nothing that depends on what was searched before.
fn exact() -> Lab<Technique> {
    Lab(TechniqueSet::of(&[
        Technique::AlphaBeta,
        Technique::PrincipalVariation,
        Technique::Quiescence,
        Technique::VictimOrdering,
        Technique::Deepening,
        Technique::ButterflyHistory,
        Technique::Killers,
    ]))
}

#[test]
fn without_pruning_every_scheduler_returns_the_serial_value() {
    let mut takes = 0;
    for (number, fen) in FENS.into_iter().enumerate() {
        let depth = if number == 2 { 3 } else { 4 };
        let serial = search(&mut pool(exact(), SearchPoolSettings::default()), fen, depth).0.score;
        for way in Parallel::ALL {
            for (seed, (workers, quantum)) in
                [(2, 1), (3, 7), (5, 2), (8, 16), (16, 64)].into_iter().enumerate()
            {
                let mut pool = pool(exact(), virtual_pool(way, workers, quantum, seed as u64 + 1));
                let (outcome, _) = search(&mut pool, fen, depth);
                assert_eq!(outcome.score, serial, "{way} with {workers} workers: {fen}");
                takes += pool.counters()[Count::Joins];
            }
        }
    }
    assert!(takes > 500, "nodes were shared {takes} times");
}

#[test]
fn every_scheduler_returns_a_legal_move_in_any_order_of_events() {
    for way in Parallel::ALL {
        for seed in 1..12 {
            let mut pool = pool(Release, virtual_pool(way, 2 + seed as usize, 1 + 5 * seed, seed));
            for fen in FENS {
                let (outcome, _) = search(&mut pool, fen, 6);
                assert!(game(fen).position().legal_moves().contains(&outcome.best.unwrap()));
                let mut position = game(fen).position().clone();
                for mv in outcome.line.iter() {
                    assert!(position.is_legal(mv), "{way}: {fen}");
                    position.play(mv);
                }
            }
        }
    }
}

#[test]
fn one_virtual_worker_is_the_serial_search_node_for_node() {
    let mut serial = pool(Release, SearchPoolSettings::default());
    for way in Parallel::ALL {
        for quantum in [1, 64] {
            let mut alone = pool(Release, virtual_pool(way, 1, quantum, 3));
            for fen in FENS {
                let (one, other) = (search(&mut serial, fen, 8), search(&mut alone, fen, 8));
                assert_eq!((one.0.best, one.0.score, one.1), (other.0.best, other.0.score, other.1));
            }
        }
    }
}

#[test]
fn the_same_seed_is_the_same_search_and_the_backend_does_not_matter() {
    for way in Parallel::ALL {
        let run = |seed, backend| {
            let mut settings = virtual_pool(way, 6, 32, seed);
            settings.virtual_time = settings.virtual_time.map(|time| VirtualSettings { backend, ..time });
            let mut pool = pool(Release, settings);
            let mut told = Vec::new();
            let limits = Limits::depth(9);
            let outcome = pool.search(&game(FENS[0]), &[], limits, &mut |event: Event<'_, Move>| {
                if let Event::Info(info) = event {
                    told.push((info.depth, info.score, info.nodes, info.time));
                }
            });
            (told, outcome.best, pool.counters())
        };
        let first = run(1, Backend::Fibers);
        assert_eq!(first, run(1, Backend::Fibers), "{way}");
        assert_eq!(first, run(1, Backend::Token), "{way}");
        assert_ne!(first, run(2, Backend::Fibers), "{way}");
    }
}

#[test]
fn a_virtual_cluster_repeats_itself_and_depends_on_its_network() {
    for way in Parallel::ALL {
        let cluster = |latency, backend| {
            let mut settings = SearchPoolSettings { virtual_ranks: 3, ..virtual_pool(way, 7, 16, 5) };
            settings.network.latency = Duration::from_micros(latency);
            settings.batch.least_depth = 2;
            settings.batch.interval = Duration::from_micros(50);
            settings.virtual_time.as_mut().unwrap().backend = backend;
            let mut pool = pool(Release, settings);
            let (outcome, nodes) = search(&mut pool, FENS[0], 9);
            (outcome.best, outcome.score, outcome.depth, nodes)
        };
        let near = cluster(10, Backend::Fibers);
        assert_eq!(near, cluster(10, Backend::Fibers), "{way}");
        assert_eq!(near, cluster(10, Backend::Token), "{way}");
        assert_eq!(near.2, 9, "{way}");
        assert_ne!(near.3, cluster(50_000, Backend::Fibers).3, "{way}: messages that come too late");
    }
}

#[test]
fn ranks_of_one_worker_each_search_alone_until_a_message_comes() {
    let mut settings = SearchPoolSettings { virtual_ranks: 2, ..virtual_pool(Parallel::Lazy, 2, 16, 5) };
    settings.network.latency = Duration::from_secs(1_000_000);
    let (apart, _) = search(&mut pool(Release, settings), FENS[0], 8);
    let (serial, _) = search(&mut pool(Release, SearchPoolSettings::default()), FENS[0], 8);
    assert_eq!((apart.best, apart.score, apart.depth), (serial.best, serial.score, serial.depth));
}

#[test]
fn the_pool_changes_size_and_way_between_searches() {
    let mut pool = pool(Release, SearchPoolSettings::default());
    for (threads, way) in [
        (3, Parallel::Ybwc),
        (0, Parallel::Ybwc),
        (2, Parallel::Abdada),
        (5, Parallel::Teams),
        (5, Parallel::Lazy),
    ] {
        let settings =
            SearchPoolSettings { threads, parallel: way, team_size: 2, ..SearchPoolSettings::default() };
        pool.set_pool_settings(settings).unwrap();
        assert_eq!(pool.threads(), threads.max(1));
        assert!(search(&mut pool, FENS[0], 6).0.best.is_some());
        pool.resize(2).unwrap();
        assert!(search(&mut pool, FENS[1], 6).0.best.is_some());
        pool.resize(1).unwrap();
    }
}

/// Four real threads on every bench position, each way: for a tool that watches them (`make race`).
#[test]
#[ignore = "meant for ThreadSanitizer, which `make race` runs it under"]
fn four_threads_on_the_bench() {
    for way in Parallel::ALL {
        let settings =
            SearchPoolSettings { threads: 4, parallel: way, team_size: 2, ..SearchPoolSettings::default() };
        let mut pool = pool(Release, settings);
        for fen in search::BENCH_POSITIONS {
            let (outcome, nodes) = search(&mut pool, fen, 8);
            assert!(outcome.best.is_some() && nodes > 0, "{way}: {fen}");
        }
    }
}

#[test]
fn mates_and_stalemates_need_no_team() {
    for way in Parallel::ALL {
        let mut pool = pool(Release, virtual_pool(way, 4, 8, 1));
        for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"] {
            assert_eq!(search(&mut pool, fen, 5).0.best, None);
        }
    }
}
