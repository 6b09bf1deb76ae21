use super::*;
use crate::memory_files::MemoryFiles;

fn record(white: &str, moves: &str) -> GameRecord {
    let settings = serde_json::from_value(serde_json::json!({
        "side": "white", "opponent": {"level": 1500, "thinking": false, "seconds": 1.0},
        "start": {"kind": "standard"}, "odds": "none", "clock": null, "natural": false, "ponder": false,
    }));
    GameRecord {
        settings: settings.unwrap(),
        white_is_player: true,
        white: white.into(),
        black: "Tabiya".into(),
        start: String::new(),
        chess960: false,
        moves: moves.into(),
        clocks: None,
        opening: Some("Sicilian".into()),
        result: "*".into(),
        reason: String::new(),
        last_fen: String::new(),
    }
}

#[test]
fn games_are_kept_found_changed_and_deleted() {
    let archive = Archive::new(MemoryFiles::new(|_, _| {}), || "2026-11-18T00:00:00Z".into());
    let first = archive.add(&record("Anna", "e2e4")).unwrap();
    let second = archive.add(&record("Bert", "")).unwrap();
    assert_ne!(first, second);
    assert_eq!(archive.list("", 10).unwrap().1, 1, "a game without moves is not listed");
    archive.update(second, &record("Bert", "d2d4")).unwrap();
    let (games, total) = archive.list("SICIL", 1).unwrap();
    assert_eq!((games[0].id, total), (second, 2));
    assert_eq!(archive.list("anna", 10).unwrap().0[0].record.moves, "e2e4");
    archive.delete(first).unwrap();
    archive.delete(first).unwrap();
    assert_eq!(archive.get(first).unwrap(), None);
}
