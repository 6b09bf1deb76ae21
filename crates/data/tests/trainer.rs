//! The whole path: self-play, samples, training of a tiny network on a CPU, and the engine's arithmetic on its file.
//!
//! Needs a Python with PyTorch (`TABIYA_PYTHON`, or `python3`); without one it says so and passes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use chess::Position;
use data::generate::{Settings, generate};
use data::play::Play;
use eval::Evaluation;
use eval::nnue::{Evaluator, Network};
use kernel::clock::ManualClock;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A Python that has PyTorch: the one named, the first on the path, or the system's own.
fn python() -> Option<String> {
    let named = std::env::var("TABIYA_PYTHON").ok();
    let has_torch = |python: &String| {
        let torch = Command::new(python).args(["-c", "import torch, numpy"]).output();
        torch.is_ok_and(|output| output.status.success())
    };
    let others = ["python3", "/usr/bin/python3"].map(str::to_string);
    named.into_iter().chain(others).find(has_torch)
}

fn prepare(words: &[&str]) {
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    data::cli::data(&words, &ManualClock::new(), &mut Vec::new(), &mut Vec::new()).unwrap();
}

#[test]
fn a_tiny_network_from_games_to_centipawns() {
    let Some(python) = python() else {
        eprintln!("skipped: no Python with PyTorch here; TABIYA_PYTHON names one");
        return;
    };
    let folder = std::env::temp_dir().join(format!("tabiya-trainer-{}", std::process::id()));
    let play = Play { soft_nodes: 30, hard_nodes: 200, ..Play::default() };
    let settings = Settings {
        folder: folder.clone(),
        seed: 3,
        first_shard: 0,
        threads: 1,
        positions: 6000,
        megabytes: 1,
        play,
        openings: data::play::Openings::default(),
        evaluation: Evaluation::default(),
    };
    let clock: Arc<dyn kernel::Clock> = Arc::new(ManualClock::new());
    generate(&settings, &clock, &AtomicBool::new(false), Duration::from_secs(1), &mut |_| {}).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let games = settings.path(0).display().to_string();
    let words = ["convert", &games, "--out", &path("train"), "--held-out", &path("held"), "--one-in", "5"];
    prepare(&words);
    // Labels from inside the trees as well: scores that are bounds.
    prepare(&[
        "label-tree",
        &games,
        "--out",
        &path("trees"),
        "--nodes",
        "500",
        "--depth",
        "2",
        "--every",
        "9",
    ]);

    let trainer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../trainer/nnue");
    let run = |script: &str, words: &[&str]| {
        let output = Command::new(&python).arg(trainer.join(script)).args(words).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{script}: {said}");
    };
    let (train, trees, held) = (path("train"), path("trees"), path("held"));
    run(
        "train.py",
        &["--samples", &train, &trees, "--held-out", &held, "--out", &path("out"), "--tiny", "--epochs", "2"],
    );
    let (network, values) = (path("out/network.net"), path("values.tsv"));
    run("fixture.py", &["--network", &network, "--samples", &held, "--out", &values, "--count", "100"]);

    let network = Arc::new(Network::open(Path::new(&network)).unwrap());
    let mut evaluator = Evaluator::new(network);
    let mut compared = 0;
    for line in fs::read_to_string(values).unwrap().lines().filter(|line| !line.starts_with('#')) {
        let (fen, expected) = line.split_once('\t').unwrap();
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(evaluator.evaluate(&position, 0), expected.parse::<i32>().unwrap(), "{fen}");
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
    fs::remove_dir_all(folder).unwrap();
}
