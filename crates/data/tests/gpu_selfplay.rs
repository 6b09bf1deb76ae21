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
use std::path::Path;
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

#[test]
fn the_gpus_rules_evaluations_and_samples_are_ours() {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    if Command::new(&compiler).arg("--version").output().is_err() {
        eprintln!("skipped: no C++ compiler here; CXX names one");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = std::env::temp_dir().join(format!("tabiya-selfplay-check-{}", std::process::id()));
    let compiled = Command::new(&compiler)
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(root.join("trainer/nnue/selfplay/check.cpp"))
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));

    let network = root.join("crates/eval/networks/tabiya.net");
    let positions = positions();
    let checked =
        Command::new(&program).arg(&network).args(positions.iter().map(Position::to_fen)).output().unwrap();
    std::fs::remove_file(&program).unwrap();
    let told = String::from_utf8(checked.stdout).unwrap();
    // Its own perft counts come first: a wrong one ends it.
    assert!(checked.status.success(), "{told}");

    let mut evaluator = Evaluator::new(Arc::new(Network::open(&network).unwrap()));
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
    assert!(lines.next().unwrap().starts_with("20 games"), "{told}");
}
