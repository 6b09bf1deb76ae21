use super::*;
use crate::spec::Spec;
use match_runner::game::{GameRecord, GameResult, PlayedMove, Termination};
use match_runner::schedule::GameTask;
use protocol::client::info::{ReportedScore, SearchInfo};
use rusqlite::Connection;
use serde_json::{Map, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A folder of its own for every test, removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tabiya-lab-store-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn spec(text: &str) -> Spec {
    Spec::from_toml(text).unwrap()
}

fn create(folder: &Folder, text: &str) -> Result<Store, StoreError> {
    Store::open_or_create(&folder.0, &["match"], "a test", &spec(text), &["pairs"])
}

fn record(moves: &[&str]) -> GameRecord {
    let mut game = chess::Game::default();
    let mut played = Vec::new();
    for (place, text) in moves.iter().enumerate() {
        game.play(game.position().parse_uci(text).unwrap()).unwrap();
        let score = if place % 2 == 0 {
            ReportedScore::Centipawns(place as i32 - 30)
        } else {
            ReportedScore::Mate(-4)
        };
        let info = SearchInfo {
            score: Some(score),
            depth: Some(7),
            selective_depth: None,
            nodes: Some(12345),
            table_base_hits: None,
        };
        played.push(PlayedMove { text: (*text).to_owned(), info, used: Duration::from_micros(1500) });
    }
    GameRecord {
        result: GameResult::BlackWins,
        termination: Termination::Checkmate,
        detail: "black mates, \"quoted\", with comma".to_owned(),
        game,
        moves: played,
        duration: Duration::from_millis(77),
        broken: None,
    }
}

fn task(number: u64) -> GameTask {
    GameTask { number, pair: number / 2, round: number / 2, white: 0, black: 1 }
}

const MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

#[test]
fn a_game_comes_back_as_it_went_in() {
    let folder = Folder::new("game");
    let store = create(&folder, "pairs = 1").unwrap();
    let record = record(&MATE);
    store.record_game(&task(3), 5, ("new", "old"), &record).unwrap();
    let games = store.games().unwrap();
    let game = &games[0];
    assert_eq!((game.number, game.pair, game.opening), (3, 1, 5));
    assert_eq!((game.white.as_str(), game.black.as_str()), ("new", "old"));
    assert_eq!(game.moves, record.moves);
    assert_eq!((game.result, game.termination), (record.result, record.termination));
    assert_eq!(game.replay().unwrap().position(), record.game.position());
    assert_eq!(game.last, record.game.position().to_fen());
}

#[test]
fn a_game_or_row_is_recorded_once() {
    let folder = Folder::new("once");
    let store = create(&folder, "").unwrap();
    store.record_game(&task(0), 0, ("a", "b"), &record(&MATE)).unwrap();
    assert!(store.record_game(&task(0), 0, ("a", "b"), &record(&MATE)).is_err());
    let row = Row { task: "x/1".to_owned(), data: Map::from_iter([("ms".to_owned(), json!(12.5))]) };
    store.record_row(&row).unwrap();
    assert!(store.record_row(&row).is_err());
    assert!(store.has_row("x/1").unwrap() && !store.has_row("x/2").unwrap());
    assert_eq!(store.rows().unwrap(), [row]);
    assert_eq!(store.game_numbers().unwrap().len(), 1);
}

#[test]
fn reopening_keeps_everything_and_refuses_another_experiment() {
    let folder = Folder::new("reopen");
    create(&folder, "seed = 1\npairs = 4").unwrap().note_environment("cpu", "one").unwrap();
    let again = create(&folder, "seed = 1\npairs = 9").unwrap();
    assert_eq!(
        again.description().unwrap().spec,
        spec("seed = 1\npairs = 9"),
        "volatile parts follow the last run"
    );
    assert_eq!(again.note_environment("cpu", "two").unwrap().as_deref(), Some("one"));
    drop(again);
    let error = create(&folder, "seed = 2\npairs = 4").unwrap_err();
    assert!(matches!(&error, StoreError::Different { names, .. } if names == &["seed"]), "{error}");
    let error =
        Store::open_or_create(&folder.0, &["sprt"], "a test", &spec("seed = 1"), &["pairs"]).unwrap_err();
    assert!(error.to_string().contains("kind"), "{error}");
}

#[test]
fn a_newer_or_foreign_file_is_refused_and_left_alone() {
    let folder = Folder::new("newer");
    let store = create(&folder, "").unwrap();
    store.connection.execute_batch("PRAGMA user_version = 99").unwrap();
    drop(store);
    let error = create(&folder, "").unwrap_err().to_string();
    assert!(error.contains("newer version (format 99"), "{error}");
    assert!(Store::open(&folder.0).unwrap_err().to_string().contains("newer version"));

    std::fs::remove_file(folder.0.join(FILE_NAME)).unwrap();
    let foreign = Connection::open(folder.0.join(FILE_NAME)).unwrap();
    foreign.execute_batch("CREATE TABLE cakes (name TEXT)").unwrap();
    drop(foreign);
    assert!(matches!(Store::open(&folder.0), Err(StoreError::Foreign { .. })));

    std::fs::write(folder.0.join(FILE_NAME), "this is no database, but it is long enough to look at")
        .unwrap();
    let error = Store::open(&folder.0).unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    assert!(matches!(Store::open(Path::new("/no/such/folder")), Err(StoreError::Missing { .. })));
}

#[test]
fn only_one_process_runs_an_experiment() {
    let folder = Folder::new("busy");
    let first = create(&folder, "").unwrap();
    assert!(matches!(create(&folder, ""), Err(StoreError::Busy { .. })));
    assert!(Store::open(&folder.0).is_ok(), "readers may look");
    drop(first);
    assert!(create(&folder, "").is_ok());
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let folder = Folder::new("full");
    let store = create(&folder, "").unwrap();
    store.record_game(&task(0), 0, ("a", "b"), &record(&MATE)).unwrap();
    let pages: i64 = store.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    store.connection.execute_batch(&format!("PRAGMA max_page_count = {pages}")).unwrap();
    let big =
        Row { task: "big".to_owned(), data: Map::from_iter([("x".to_owned(), json!("y".repeat(100_000)))]) };
    let error = store.record_row(&big).unwrap_err().to_string();
    assert!(error.contains("full") && error.contains("make room and resume"), "{error}");
    assert_eq!(store.games().unwrap().len(), 1);
}

#[test]
fn shards_merge_into_the_whole_and_a_contradiction_is_refused() {
    let (one, two) = (Folder::new("shard1"), Folder::new("shard2"));
    let mut first = create(&one, "").unwrap();
    let second = create(&two, "").unwrap();
    first.record_game(&task(0), 0, ("a", "b"), &record(&MATE)).unwrap();
    second.record_game(&task(0), 0, ("a", "b"), &record(&MATE)).unwrap();
    second.record_game(&task(1), 0, ("b", "a"), &record(&MATE)).unwrap();
    let merged = first.merge(&second).unwrap();
    assert_eq!((merged.games, merged.known), (1, 1));
    assert_eq!(first.game_numbers().unwrap().len(), 2);
    second.record_game(&task(2), 1, ("a", "b"), &record(&MATE[..2])).unwrap();
    first.record_game(&task(2), 1, ("a", "b"), &record(&MATE)).unwrap();
    assert!(first.merge(&second).unwrap_err().to_string().contains("differs between"));
}

#[test]
fn a_merge_says_where_all_shards_ran() {
    let folders = [Folder::new("merge-whole"), Folder::new("merge-first"), Folder::new("merge-second")];
    let mut stores = folders.each_ref().map(|folder| create(folder, "").unwrap());
    for (place, cpu) in [(1, "fast"), (2, "slow")] {
        stores[place].note_environment("bench", "1240820").unwrap();
        stores[place].note_environment("cpu", cpu).unwrap();
    }
    let [whole, first, second] = &mut stores;
    for _ in 0..2 {
        whole.merge(first).unwrap();
        whole.merge(second).unwrap();
    }
    let expected = [("bench", "1240820"), ("cpu", "fast | slow")];
    assert_eq!(
        whole.environment().unwrap(),
        expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
    );
}

#[test]
fn exports_are_complete() {
    let folder = Folder::new("export");
    let store = create(&folder, "seed = 1").unwrap();
    store.record_game(&task(0), 0, ("a", "b"), &record(&MATE)).unwrap();
    let csv = store.export_csv().unwrap();
    assert!(csv.starts_with(ABOUT), "{csv}");
    assert_eq!(csv.lines().count(), 3);
    assert!(csv.contains("\"black mates, \"\"quoted\"\", with comma\""), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&store.export_json().unwrap()).unwrap();
    assert_eq!(json["games"][0]["moves"][3], "d8h4");
    assert_eq!(json["games"][0]["scores"][1], "-M4");
    assert_eq!(json["configuration"]["seed"], "1");
    let epd = store.export_epd().unwrap();
    assert!(
        epd.starts_with("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - id \"game 1\";"),
        "{epd}"
    );
}

#[test]
fn pgn_holds_tags_moves_and_comments() {
    let folder = Folder::new("pgn");
    let store = create(&folder, "seed = 1").unwrap();
    store.record_game(&task(0), 0, ("a \"quoted\" name", "b"), &record(&MATE)).unwrap();
    let pgn = store.export_pgn().unwrap();
    for part in [
        "[White \"a \\\"quoted\\\" name\"]\n",
        "[Result \"0-1\"]\n",
        "[Termination \"checkmate\"]\n",
        "1. f3 {-0.30/7 0.002s} e5 {-M4/7 0.002s} 2. g4",
        "Qh4#",
    ] {
        assert!(pgn.contains(part), "{part} in {pgn}");
    }
    store.record_game(&task(1), 1, ("a\n[Event \"x\"]", "b"), &record(&MATE)).unwrap();
    let broken = store.export_pgn().unwrap();
    assert!(broken.contains("[White \"a [Event \\\"x\\\"]\"]\n"), "{broken}");
    assert!(!pgn.contains("[FEN"), "the usual start needs no FEN");
    assert!(pgn.trim_end().ends_with("0-1"));
    assert!(pgn.lines().all(|line| line.chars().count() <= 80), "{pgn}");
}
