//! The policy types and the switches.
#![allow(clippy::unwrap_used)]

use chess::{Game, Move, Position};
use kernel::clock::ManualClock;
use kernel::counters::Count;
use kernel::sched::Parallel;
use kernel::{Event, Lab, Limits, Release, Score, Technique as _, TechniqueSet};
use search::{BENCH_POSITIONS, CompiledPolicy, SearchPool, SearchPoolSettings, Technique, VARIANTS, Variant};
use std::sync::Arc;

fn pool<P: CompiledPolicy>(policy: P) -> SearchPool<P> {
    SearchPool::new(policy, 1, Arc::new(ManualClock::new())).unwrap()
}

fn search<P: CompiledPolicy>(
    pool: &mut SearchPool<P>,
    fen: &str,
    limits: Limits,
) -> (Score, Option<Move>, u64) {
    let game = Game::new(Position::from_fen(fen).unwrap());
    pool.clear();
    let outcome = pool.search(&game, &[], limits, &mut |_: Event<'_, Move>| {});
    (outcome.score, outcome.best, pool.counters()[Count::Nodes])
}

#[test]
fn everything_on_in_the_lab_is_the_release_search() {
    let (mut release, mut lab) = (pool(Release), pool(Lab(TechniqueSet::all())));
    for fen in BENCH_POSITIONS {
        let limits = Limits::depth(8);
        assert_eq!(search(&mut release, fen, limits.clone()), search(&mut lab, fen, limits), "{fen}");
    }
}

/// Each switch must do something. Shallow searches show most; what only acts deep is looked for
/// further down, in a position where it acts.
#[test]
fn every_single_switch_changes_the_search() {
    let all = TechniqueSet::all();
    let mut with = pool(Lab(all));
    let changes_the_tree = |technique: &&Technique| **technique != Technique::LockFreeTable;
    for &technique in Technique::ALL.iter().filter(changes_the_tree) {
        let mut without = pool(Lab(all.without(technique)));
        let differs = [3, 6, 9, 12, 15, 19].into_iter().any(|depth| {
            let fens = if depth > 9 { &BENCH_POSITIONS[28..] } else { &BENCH_POSITIONS[..] };
            fens.iter().any(|fen| {
                let limits = Limits { nodes: Some(1_500_000), ..Limits::depth(depth) };
                search(&mut with, fen, limits.clone()) != search(&mut without, fen, limits)
            })
        });
        assert!(differs, "{} makes no difference", technique.name());
    }
}

#[test]
fn a_table_with_locks_gives_the_same_search() {
    let mut lock_free = pool(Lab(TechniqueSet::all()));
    let mut locked = pool(Lab(TechniqueSet::all().without(Technique::LockFreeTable)));
    for fen in &BENCH_POSITIONS[..6] {
        let limits = Limits::depth(8);
        assert_eq!(search(&mut lock_free, fen, limits.clone()), search(&mut locked, fen, limits), "{fen}");
    }
}

#[test]
fn a_table_with_locks_serves_several_threads() {
    for parallel in Parallel::ALL {
        let mut locked = pool(Lab(TechniqueSet::all().without(Technique::LockFreeTable)));
        locked
            .set_pool_settings(SearchPoolSettings { threads: 3, parallel, ..SearchPoolSettings::default() })
            .unwrap();
        let (_, best, nodes) = search(&mut locked, BENCH_POSITIONS[1], Limits::depth(9));
        assert!(best.is_some() && nodes > 0, "{parallel:?}");
    }
}

#[test]
fn alpha_beta_and_its_helpers_return_the_minimax_value() {
    let mut minimax = pool(Lab(Variant::named("minimax").unwrap().set()));
    // These prune nothing that could change the value.
    let sound = ["klas-st", "klas-mo", "klas-tt", "klas-id"];
    for fen in [BENCH_POSITIONS[0], BENCH_POSITIONS[4], BENCH_POSITIONS[33], BENCH_POSITIONS[38]] {
        for depth in 1..=3 {
            let (expected, _, _) = search(&mut minimax, fen, Limits::depth(depth));
            for name in sound {
                let mut variant = pool(Lab(Variant::named(name).unwrap().set()));
                let (score, _, _) = search(&mut variant, fen, Limits::depth(depth));
                assert_eq!(score, expected, "{name} at depth {depth} in {fen}");
            }
        }
    }
}

#[test]
fn richer_variants_need_fewer_nodes() {
    let nodes = |name: &str| -> u64 {
        let mut variant = pool(Lab(Variant::named(name).unwrap().set()));
        BENCH_POSITIONS[..6].iter().map(|fen| search(&mut variant, fen, Limits::depth(4)).2).sum()
    };
    for poorer in ["klas-mo", "klas-tt"] {
        assert!(nodes(poorer) > nodes("klas-st"), "{poorer}");
    }
    assert!(nodes("adc-basic") > nodes("adc-table"));
    assert!(nodes("adc-killers") > nodes("adc-reductions"));
    assert!(VARIANTS.len() >= 9);
}
