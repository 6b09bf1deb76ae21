//! Syzygy tables: the results, the moves that keep a win, and folders that are not there.
#![allow(clippy::unwrap_used)]

use chess::{Game, Move, Position};
use kernel::clock::ManualClock;
use kernel::counters::Count;
use kernel::{Event, Limits, Release, Score};
use search::{SearchPool, TablebaseResult, TablebaseSettings, Tablebases};
use std::sync::Arc;

/// The tables of the repository.
fn tables() -> Arc<Tablebases> {
    Arc::new(Tablebases::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/syzygy")).unwrap())
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

#[test]
fn results_are_those_of_the_tables() {
    let tables = tables();
    assert!(tables.files() > 0 && tables.max_pieces() >= 3);
    for (fen, result) in [
        ("8/8/8/8/8/4k3/8/4K2Q w - - 0 1", TablebaseResult::Win),
        ("8/8/8/8/8/4k3/8/4K2Q b - - 0 1", TablebaseResult::Loss),
        ("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", TablebaseResult::Draw),
        ("8/8/8/3k4/8/3KP3/8/8 w - - 0 1", TablebaseResult::Draw),
        ("8/8/3k4/8/3KP3/8/8/8 b - - 0 1", TablebaseResult::Draw),
        ("8/3k4/8/3K4/4P3/8/8/8 b - - 0 1", TablebaseResult::Loss),
    ] {
        assert_eq!(tables.probe_wdl(&position(fen)), Some(result), "{fen}");
    }
    assert_eq!(tables.probe_wdl(&Position::default()), None);
}

#[test]
fn the_root_keeps_only_moves_that_keep_the_win() {
    let tables = tables();
    // Only the king's step to the sixth rank wins; pushing the pawn draws.
    let root = position("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
    let kept = tables.best_moves(&root, false, true).unwrap().moves;
    for &mv in &root.legal_moves() {
        let child = root.after(mv);
        let is_win = tables.probe_wdl(&child).is_some_and(|result| result == TablebaseResult::Loss);
        if child.halfmove_clock() == 0 {
            assert_eq!(kept.contains(&mv), is_win, "{mv:?}");
        }
    }
    assert!(!kept.is_empty());
}

#[test]
fn a_search_with_tables_wins_what_is_won_and_counts_its_probes() {
    let tables = tables();
    let mut pool = SearchPool::new(Release, 1, Arc::new(ManualClock::new())).unwrap();
    pool.set_tablebases(Some(tables), TablebaseSettings::default());
    // Taking the rook leads to a won pawn ending in the tables.
    let game = Game::new(position("8/8/8/8/3k4/4r3/3KP3/7R w - - 0 1"));
    let outcome = pool.search(&game, &[], Limits::depth(10), &mut |_: Event<'_, Move>| {});
    assert!(outcome.best.is_some());
    assert!(pool.counters()[Count::TableBaseHits] > 0);
}

#[test]
fn a_missing_folder_is_an_error_that_names_it() {
    let error = Tablebases::open("/no/such/folder").err().unwrap();
    assert!(error.to_string().contains("/no/such/folder"), "{error}");
    assert_eq!(Tablebases::open("").unwrap().files(), 0);
}

/// The score shown at the root, whether it is a result, and the table hits.
fn shown(pool: &mut SearchPool<Release>, fen: &str) -> (Score, bool, u64) {
    let mut last = (Score::ZERO, false, 0);
    pool.search(&Game::new(position(fen)), &[], Limits::depth(3), &mut |event: Event<'_, Move>| {
        if let Event::Info(info) = event {
            last = (info.score, info.is_result, info.table_base_hits);
        }
    });
    last
}

#[test]
fn a_root_in_the_tables_shows_their_result_and_counts_its_probes() {
    let tables = tables();
    let mut pool = SearchPool::new(Release, 1, Arc::new(ManualClock::new())).unwrap();
    pool.set_tablebases(Some(tables), TablebaseSettings::default());
    let (score, is_result, hits) = shown(&mut pool, "8/8/8/8/4k3/8/8/4K1Q1 w - - 0 1");
    assert!(score.is_win() && is_result && hits > 0, "{score:?} {hits}");
    let (score, is_result, hits) = shown(&mut pool, "8/8/8/8/4k3/8/4P3/4K3 b - - 0 1");
    assert!(score == Score::ZERO && is_result && hits > 0, "{score:?} {hits}");
}

#[test]
fn a_dead_draw_is_a_result_without_tables() {
    let mut pool = SearchPool::new(Release, 1, Arc::new(ManualClock::new())).unwrap();
    assert_eq!(shown(&mut pool, "8/8/4k3/8/8/3NK3/8/8 w - - 0 1"), (Score::ZERO, true, 0));
    assert!(!shown(&mut pool, "8/8/4k3/8/8/3RK3/8/8 w - - 0 1").1);
}
