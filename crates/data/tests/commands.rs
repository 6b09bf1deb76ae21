//! `tabiya data` on files that exist, that are broken, and that are no files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use common::{Folder, games};
use data::cli::{Failure, data};
use data::file::{Header, Writer, read_all};
use data::game::GameRecord;
use kernel::clock::ManualClock;
use std::fs;
use std::path::{Path, PathBuf};

struct Run {
    out: String,
    err: String,
    result: Result<(), Failure>,
}

impl Run {
    fn failure(&self) -> &str {
        match &self.result {
            Ok(()) => panic!("it succeeded: {}", self.out),
            Err(Failure::Usage(text) | Failure::Failed(text)) => text,
        }
    }
}

/// Words of a command; those that begin with `@` name files of the folder.
fn run(folder: &Folder, line: &str) -> Run {
    let word = |word: &str| match word.strip_prefix('@') {
        Some(name) => folder.0.join(name).to_str().unwrap().to_string(),
        None => word.to_string(),
    };
    let words: Vec<String> = line.split_whitespace().map(word).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let result = data(&words, &ManualClock::new(), &mut out, &mut err);
    Run { out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap(), result }
}

/// One game a block.
fn write(path: &Path, games: &[GameRecord]) {
    let mut writer = Writer::create(path, &Header::default(), false).unwrap();
    for game in games {
        writer.write(game).unwrap();
        writer.flush().unwrap();
    }
}

/// Starts and moves, which identify a game.
fn identities(path: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let each = |game: GameRecord| {
        let moves: Vec<u16> = game.plies.iter().map(|ply| ply.mv.bits()).collect();
        found.push(format!("{} {moves:?}", game.start.to_fen()));
    };
    read_all(path, each, |error| panic!("{error}")).unwrap();
    found
}

#[test]
fn a_split_is_not_doubled_and_starts_anew_when_asked() {
    let folder = Folder::new("split-again");
    write(&folder.0.join("all"), &games(20));
    let split = "split @all --out @train --held-out @held --one-in 3";
    run(&folder, split).result.unwrap();
    let before = (fs::read(folder.0.join("train")).unwrap(), fs::read(folder.0.join("held")).unwrap());
    let again = run(&folder, split);
    assert!(again.failure().contains("exists; --overwrite starts anew"), "{}", again.failure());
    // One of the two is enough to refuse, and nothing is made then.
    let other = run(&folder, "split @all --out @new --held-out @held --one-in 3");
    assert!(other.failure().contains("held, byte 0: exists"), "{}", other.failure());
    assert!(!folder.0.join("new").exists());
    assert_eq!(before, (fs::read(folder.0.join("train")).unwrap(), fs::read(folder.0.join("held")).unwrap()));

    run(&folder, "split @all --out @train --held-out @held --one-in 2 --overwrite").result.unwrap();
    let (train, held) = (identities(&folder.0.join("train")), identities(&folder.0.join("held")));
    assert_eq!(train.len() + held.len(), 20);
    assert!(train.iter().all(|game| !held.contains(game)));
}

#[test]
fn a_game_that_occurs_twice_is_on_one_side() {
    let folder = Folder::new("split-twice");
    let games = games(20);
    write(&folder.0.join("one"), &games);
    // The same games in another order, with other scores.
    let rescored: Vec<GameRecord> = games
        .iter()
        .rev()
        .map(|game| {
            let mut game = game.clone();
            game.plies.iter_mut().for_each(|ply| ply.score ^= 1);
            game
        })
        .collect();
    write(&folder.0.join("two"), &rescored);
    run(&folder, "split @one @two --out @train --held-out @held --one-in 2").result.unwrap();
    let (train, held) = (identities(&folder.0.join("train")), identities(&folder.0.join("held")));
    assert_eq!(train.len() + held.len(), 40);
    assert!(train.len() > 5 && held.len() > 5, "{} {}", train.len(), held.len());
    assert!(train.iter().all(|game| !held.contains(game)));
}

#[test]
fn the_two_outputs_and_the_inputs_are_different_files() {
    let folder = Folder::new("split-same");
    write(&folder.0.join("all"), &games(2));
    let before = fs::read(folder.0.join("all")).unwrap();
    for (line, complaint) in [
        ("split @all --out @a --held-out @a", "is the training file too"),
        ("split @all --out @all --held-out @b --overwrite", "is an input too"),
        ("split @all --out @b --held-out @all --overwrite", "is an input too"),
    ] {
        let run = run(&folder, line);
        assert!(run.failure().contains(complaint), "{line}: {}", run.failure());
    }
    assert_eq!(fs::read(folder.0.join("all")).unwrap(), before);
}

#[test]
fn an_import_is_not_doubled() {
    let folder = Folder::new("import-again");
    let line = "x\ta\tb\t-\t-\t-\t-\t1-0\t-\t-\te2e4 e7e5\t-\t-\n";
    fs::write(folder.0.join("games.tsv"), line).unwrap();
    run(&folder, "import @games.tsv --out @all").result.unwrap();
    let again = run(&folder, "import @games.tsv --out @all");
    assert!(again.failure().contains("exists; --overwrite starts anew"), "{}", again.failure());
    run(&folder, "import @games.tsv --out @all --overwrite").result.unwrap();
    assert_eq!(identities(&folder.0.join("all")).len(), 1);
}

#[test]
fn a_bad_block_is_left_out_and_the_command_fails() {
    let folder = Folder::new("bad-block");
    let path = folder.0.join("all");
    write(&path, &games(4));
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    for line in [
        "stats @all",
        "convert @all --out @samples",
        "export @all --out @text",
        "split @all --out @train --held-out @held",
        "rescore @all --out @rescored --nodes 20",
        "label-tree @all --out @trees --nodes 50 --depth 1",
        "harvest @all --out @trees2 --nodes 50 --depth 1",
    ] {
        let run = run(&folder, line);
        assert_eq!(run.failure(), "1 block could not be read and was left out", "{line}");
        assert!(run.err.contains("checksum does not fit"), "{line}: {}", run.err);
        assert!(!run.out.is_empty(), "{line}: the rest was not done");
    }
    assert_eq!(fs::read_to_string(folder.0.join("text")).unwrap().lines().count(), 3);
    assert_eq!(identities(&folder.0.join("rescored")).len(), 3);
}

#[cfg(unix)]
#[test]
fn devices_and_control_characters_are_refused_in_one_line() {
    let folder = Folder::new("devices");
    let samples: PathBuf = folder.0.join("samples");
    for line in [
        "stats /dev/zero".to_string(),
        format!("import /dev/zero --out {}", samples.display()),
        format!("shuffle /dev/zero --out {}", samples.display()),
        "label-tree @all --out @trees --network /dev/zero".to_string(),
    ] {
        let run = run(&folder, &line);
        assert!(run.failure().contains("not a regular file"), "{line}: {}", run.failure());
    }
    let missing = run(&folder, "stats no\u{1b}[2Jfile");
    assert!(missing.failure().starts_with("no\\u{1b}[2Jfile, byte 0: "), "{}", missing.failure());
}
