//! Every EPD and PGN file of the shared data, read from end to end.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod support;

use chess::compressed;
use chess::epd::{EpdFileError, EpdReader};
use chess::pgn::PgnReader;
use std::fs::{self, File};
use std::path::PathBuf;

/// The files of a folder whose name ends so, or none where there is no shared data.
fn files(folder: &str, suffix: &str) -> Vec<PathBuf> {
    let Some(folder) = support::shared(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(suffix));
    files.sort();
    files
}

/// Each position is read, written and read back the same; its moves are legal.
#[test]
fn epd_suites() {
    for folder in ["suites", "positions", "mates", "perft"] {
        for path in files(folder, ".epd") {
            let mut lines = 0;
            for line in EpdReader::new(File::open(&path).unwrap()) {
                let (number, epd) = match line {
                    Ok(read) => read,
                    // One text of this suite goes on over the end of its line.
                    Err(EpdFileError::Line { number: 6 | 7, .. }) if path.ends_with("zugzwang.epd") => {
                        continue;
                    }
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

#[test]
#[ignore = "half a million positions: cargo test --release -p chess --test files -- --ignored --nocapture"]
fn opening_books() {
    for path in files("books", ".epd.zst") {
        let input = compressed::reader(File::open(&path).unwrap()).unwrap();
        let count = EpdReader::new(input)
            .inspect(|line| assert!(line.is_ok(), "{}: {line:?}", path.display()))
            .count();
        eprintln!("{}: {count} positions", path.display());
    }
}

/// All games are read, and writing them loses nothing.
#[test]
#[ignore = "50 MB of games: cargo test --release -p chess --test files -- --ignored --nocapture"]
fn pgn_collections() {
    for path in files("pgn", ".pgn.zst").into_iter().chain(files("positions", ".pgn")) {
        let (mut games, mut moves) = (0, 0);
        let input = compressed::reader(File::open(&path).unwrap()).unwrap();
        for game in PgnReader::new(input) {
            let game = game.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let text = game.to_string();
            let again = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
            assert!(again == game, "{}: game {}\n{text}", path.display(), games + 1);
            games += 1;
            moves += game.move_count();
        }
        eprintln!("{}: {games} games, {moves} moves", path.display());
    }
}
