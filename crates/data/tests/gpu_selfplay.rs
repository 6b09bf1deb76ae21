//! The games that the trainer plays on a GPU have rules, arithmetic and samples of their own (`trainer/nnue/selfplay`). Compiled for a CPU, they
//! must agree with ours.
//!
//! Needs a C++ compiler (`CXX`, or `c++`); without one it says so and passes.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

use chess::Position;
use common::Random;
use data::sample::{Label, sample};
use eval::nnue::{Evaluator, Network};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Positions out of check from random games: openings, middlegames, bare endings.
fn positions() -> Vec<Position> {
    let mut random = Random::new(14);
    let mut found = Vec::new();
    while found.len() < 60 {
        let mut position = Position::default();
        for _ in 0..random.below(220) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]);
        }
        if !position.in_check() {
            found.push(position);
        }
    }
    found
}

/// A program of `trainer/nnue/selfplay`, compiled for this test alone.
struct Program(PathBuf);

impl Program {
    fn build(compiler: &str, source: &str, flags: &[&str]) -> Self {
        let path =
            std::env::temp_dir().join(format!("tabiya-{}-{}", source.replace('.', "-"), std::process::id()));
        let compiled = Command::new(compiler)
            .args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror"])
            .args(flags)
            .arg("-o")
            .arg(&path)
            .arg(root().join("trainer/nnue/selfplay").join(source))
            .output()
            .unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        Self(path)
    }

    fn run(&self, arguments: &[String]) -> String {
        let output = Command::new(&self.0).args(arguments).output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
        told
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A file that stays in the temporary folder is no fault of the code under test.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn network() -> PathBuf {
    root().join("crates/eval/networks/tabiya.net")
}

/// The C++ compiler, where there is one.
fn compiler() -> Option<String> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    if Command::new(&compiler).arg("--version").output().is_err() {
        eprintln!("skipped: no C++ compiler here; CXX names one");
        return None;
    }
    Some(compiler)
}

#[test]
fn the_gpus_rules_evaluations_and_samples_are_ours() {
    let Some(compiler) = compiler() else { return };
    let positions = positions();
    let mut arguments = vec![network().display().to_string()];
    arguments.extend(positions.iter().map(Position::to_fen));
    // Its own perft counts come first: a wrong one ends it.
    let told = Program::build(&compiler, "check.cpp", &[]).run(&arguments);

    let mut evaluator = Evaluator::new(Arc::new(Network::open(&network()).unwrap()));
    let mut lines = told.lines();
    for position in &positions {
        let fen = position.to_fen();
        let line = lines.next().unwrap();
        let (score, bytes) = line.strip_prefix("eval ").unwrap().split_once(" sample ").unwrap();
        assert_eq!(score, evaluator.evaluate(position, 0).to_string(), "{fen}");
        let ours = sample(position, Label::of_score(0)).iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").unwrap();
            text
        });
        // The board with the score, and the kings; result and lambda-return come with a game.
        for part in [0..52, 54..58] {
            assert_eq!(bytes[part.clone()], ours[part], "{fen}");
        }
    }
    assert!(told.contains(" games ("), "{told}");
}

/// What the lanes of a warp do together, emulated, plays the games that one lane plays alone; and no lane depends on the order of the others.
#[test]
fn lanes_that_work_together_play_the_same_games() {
    let Some(compiler) = compiler() else { return };
    let network = network().display().to_string();
    let alone = Program::build(&compiler, "check.cpp", &[]).run(std::slice::from_ref(&network));
    let emulate = Program::build(&compiler, "emulate.cpp", &["-U_FORTIFY_SOURCE", "-DEMULATED_WARP"]);
    for (first, stride) in [("0", "1"), ("31", "31")] {
        let together = emulate.run(&[network.clone(), "2".to_owned(), first.to_owned(), stride.to_owned()]);
        let expected: Vec<&str> = alone.lines().filter(|line| line.starts_with("game ")).take(2).collect();
        assert_eq!(together.lines().collect::<Vec<_>>(), expected, "lanes in turn from {first} by {stride}");
    }
}

/// A search that plays against itself from both sides wins as often as it loses.
#[test]
fn a_duel_of_equal_searches_is_even() {
    let Some(compiler) = compiler() else { return };
    // A copy, because the compiler reads a header only once.
    let folder = std::env::temp_dir().join(format!("tabiya-duel-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for entry in std::fs::read_dir(root().join("trainer/nnue/selfplay")).unwrap() {
        let header = entry.unwrap().path();
        if header.extension().is_some_and(|extension| extension == "h") {
            std::fs::copy(&header, folder.join(header.file_name().unwrap())).unwrap();
        }
    }
    let before = format!("-DBEFORE=\"{}\"", folder.join("duellist.h").display());
    let duel = Program::build(&compiler, "duel.cpp", &[&before]);
    let told = duel.run(&[network().display().to_string(), "60".to_owned(), "6".to_owned(), "5".to_owned()]);
    std::fs::remove_dir_all(&folder).unwrap();
    let counts: Vec<&str> = told.split([' ', ',']).take(3).map(|count| &count[1..]).collect();
    assert_eq!(counts[0], counts[2], "{told}");
    assert!(told.contains(", Elo +0 "), "{told}");
}

/// Records of games become samples; a damaged file is refused with the place.
#[test]
fn records_are_expanded_and_damaged_ones_refused() {
    let Some(compiler) = compiler() else { return };
    let folder = std::env::temp_dir().join(format!("tabiya-expand-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let at = |name: &str| folder.join(name).display().to_string();
    let expand = Program::build(&compiler, "expand.cpp", &["-pthread"]);
    // Two games without an opening, from the start position: one move each (the first of the list, then the second), score 0 and 2, White won and lost.
    std::fs::write(at("good"), [1, 0, 0, 2, 0, 0, 1, 0, 0, 0, 1, 1]).unwrap();
    let arguments =
        |games: &str| [at("samples"), at("held-out"), "200".to_owned(), "1".to_owned(), at(games)];
    let told = expand.run(&arguments("good"));
    assert!(told.starts_with("2 games, 2 plies: "), "{told}");
    let mut samples = std::fs::read(at("samples")).unwrap();
    samples.extend(std::fs::read(at("held-out")).unwrap());
    let results: Vec<u8> = samples.chunks(32).map(|sample| sample[26]).collect();
    assert_eq!(results, [2, 0], "half points of the side to move");

    for (name, bytes, complaint) in [
        ("cut", vec![2, 0, 0, 2, 0, 0], "game 1 is cut off"),
        ("no such move", vec![1, 0, 0, 2, 99, 0], "the game at byte 0 cannot be replayed"),
    ] {
        std::fs::write(at(name), bytes).unwrap();
        let refused = Command::new(&expand.0).args(arguments(name)).output().unwrap();
        assert!(!refused.status.success());
        let error = String::from_utf8(refused.stderr).unwrap();
        assert!(error.contains(complaint), "{error}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
