//! Every EPD and PGN file of `data/`, read from end to end.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod support;

use chess::compressed;
use chess::epd::EpdReader;
use chess::pgn::PgnReader;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The files of a folder of `data/` whose name ends so.
fn files(folder: &str, suffix: &str) -> Vec<PathBuf> {
    files_of(&support::data(folder), suffix)
}

fn files_of(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(suffix));
    files.sort();
    assert!(!files.is_empty(), "{}: no file {suffix}", folder.display());
    files
}

/// Each position is read, written and read back the same; its moves are legal.
#[test]
fn epd_suites() {
    for folder in ["suites", "positions", "mates", "perft", "openings"] {
        for path in files(folder, ".epd") {
            let mut lines = 0;
            for line in EpdReader::new(File::open(&path).unwrap()) {
                let (number, epd) = match line {
                    Ok(read) => read,
                    Err(error) => panic!("{}: {error}", path.display()),
                };
                let again = chess::epd::Epd::parse(&epd.to_string()).unwrap();
                assert_eq!(again, epd, "{}: line {number}", path.display());
                let is_mate = epd.text("bm").is_some_and(|text| text.starts_with('#'));
                if !is_mate {
                    for moves in [epd.best_moves(), epd.avoid_moves()] {
                        moves.unwrap_or_else(|error| panic!("{} line {number}: {error}", path.display()));
                    }
                }
                lines += 1;
            }
            assert!(lines > 0, "{}", path.display());
            eprintln!("{}: {lines} positions", path.display());
        }
    }
}

/// All games are read, and writing them loses nothing.
#[test]
fn pgn_games() {
    for path in files("positions", ".pgn") {
        check_games(&path);
    }
}

#[test]
#[ignore = "large collections: TABIYA_COLLECTIONS=FOLDER cargo test --release -p chess --test files -- --ignored --nocapture"]
fn pgn_collections() {
    let folder =
        std::env::var_os("TABIYA_COLLECTIONS").expect("TABIYA_COLLECTIONS names a folder of .pgn.zst files");
    for path in files_of(Path::new(&folder), ".pgn.zst") {
        check_games(&path);
    }
}

fn check_games(path: &Path) {
    let (mut games, mut moves) = (0, 0);
    let input = compressed::reader(File::open(path).unwrap()).unwrap();
    for game in PgnReader::new(input) {
        let game = game.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let text = game.to_string();
        let again = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        assert!(again == game, "{}: game {}\n{text}", path.display(), games + 1);
        games += 1;
        moves += game.move_count();
    }
    assert!(games > 0, "{}", path.display());
    eprintln!("{}: {games} games, {moves} moves", path.display());
}
