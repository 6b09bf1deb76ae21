//! The laboratory: killed in the middle, without space, without files.

use crate::harness::{Limits, Output, Program, scratch};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

const GAMES: usize = 12;

fn match_arguments(folder: &Path) -> Vec<String> {
    let games = GAMES.to_string();
    [
        "lab",
        "match",
        "--engine",
        "proto=internal",
        "name=one",
        "--engine",
        "proto=internal",
        "name=two",
        "--each",
        "nodes=400",
        "option.Hash=1",
        "--games",
        &games,
        "--out",
    ]
    .iter()
    .map(ToString::to_string)
    .chain([folder.display().to_string()])
    .collect()
}

fn start(arguments: &[String], limits: Limits) -> Program {
    Program::start_limited(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), limits)
}

#[test]
fn a_match_killed_again_and_again_plays_every_game_once() {
    let folder = scratch("killed");
    let arguments = match_arguments(&folder.join("match"));
    for pause in [300, 600, 900] {
        let program = start(&arguments, Limits::default());
        std::thread::sleep(Duration::from_millis(pause));
        program.signal("KILL");
        program.end();
    }
    let ended = start(&arguments, Limits::default()).end();
    assert!(ended.status.success(), "{}", ended.text);
    let out = folder.join("match").display().to_string();
    let csv = Program::start(&["lab", "export", &out, "csv"]).end();
    assert!(csv.status.success(), "{}", csv.text);
    let rows =
        csv.text.lines().filter(|line| line.starts_with(|letter: char| letter.is_ascii_digit())).count();
    assert_eq!(rows, GAMES, "{}", csv.text);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_full_disk_is_said_and_nothing_is_lost() {
    let folder = scratch("full");
    let arguments = match_arguments(&folder.join("match"));
    // 16 KiB: enough to create the database, too little to fill it.
    let ended = start(&arguments, Limits { file_size: Some(32), ..Limits::default() }).end();
    assert!(!ended.status.success(), "{}", ended.text);
    let ended = start(&arguments, Limits::default()).end();
    assert!(ended.status.success(), "{}", ended.text);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn without_files_the_laboratory_says_so() {
    let folder = scratch("files");
    let ended =
        start(&match_arguments(&folder.join("match")), Limits { files: Some(5), ..Limits::default() }).end();
    assert!(!ended.status.success() || ended.text.contains("Elo"), "{}", ended.text);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn signals_end_a_match_which_then_goes_on() {
    let folder = scratch("signals");
    let arguments = match_arguments(&folder.join("match"));
    for signal in ["TERM", "INT"] {
        let program = start(&arguments, Limits::default());
        std::thread::sleep(Duration::from_millis(500));
        program.signal(signal);
        program.end();
    }
    let ended = start(&arguments, Limits::default()).end();
    assert!(ended.status.success(), "{}", ended.text);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_closed_or_full_output_loses_no_game() {
    for output in [Output::Closed, Output::Full] {
        let folder = scratch("output");
        let arguments = match_arguments(&folder.join("match"));
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Program::start_with(&words, Limits::default(), output).end();
        let ended = start(&arguments, Limits::default()).end();
        assert!(ended.status.success(), "{}", ended.text);
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn refused_threads_do_not_hang_a_match() {
    if !Limits::processes_can_be_limited() {
        return;
    }
    let folder = scratch("processes");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    for processes in [1, 2, 3] {
        let limits = Limits { processes: Some(processes), ..Limits::default() };
        let out = folder.join(processes.to_string());
        let ended = start(&match_arguments(&out), limits).end();
        assert!(!ended.text.is_empty(), "{processes} processes: no word");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn refused_threads_do_not_end_the_making_of_data() {
    if !Limits::processes_can_be_limited() {
        return;
    }
    let folder = scratch("data-threads");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    let at = |name: &str| folder.join(name).display().to_string();
    let limited = |processes: u32, words: &[&str]| {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        start(&words, Limits { processes: Some(processes), ..Limits::default() }).end()
    };
    // Each limit runs as a user of its own, who cannot write into the folder of another.
    let generate = |processes: u32, games: &str| {
        limited(processes, &["datagen", games, "--nodes", "50", "--positions", "300", "--threads", "4"])
    };
    let (none, games) = (at("none"), at("games"));
    let ended = generate(2, &none);
    assert!(!ended.status.success() && ended.text.contains("no thread"), "{}", ended.text);
    // Fewer threads than asked for play all the same.
    let ended = generate(4, &games);
    assert!(ended.status.success(), "{}", ended.text);

    let files: Vec<String> = std::fs::read_dir(&games)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "games"))
        .map(|path| path.display().to_string())
        .collect();
    let (samples, held_out) = (at("samples"), at("held-out"));
    let mut convert = vec!["data", "convert", "--threads", "4", "--out", &samples, "--held-out", &held_out];
    convert.extend(files.iter().map(String::as_str));
    let ended = limited(1, &convert);
    assert!(ended.status.success(), "{}", ended.text);
    assert!(std::fs::metadata(&samples).unwrap().len() > 0, "{}", ended.text);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Killed before a game is over, every time: the game goes on where it was, and ends as it would have without the kills.
#[test]
fn datagen_killed_in_every_game_gets_on() {
    let folder = scratch("datagen-killed");
    let path = |name: &str| folder.join(name);
    let words = |name: &str| {
        let out = path(name).display().to_string();
        ["datagen", &out, "--positions", "2", "--nodes", "20000"].map(ToString::to_string)
    };
    let kept = path("killed").join("selfplay-1-000.unfinished");
    let mut before = None;
    let mut kills = 0;
    loop {
        let mut program = start(&words("killed"), Limits::default());
        while std::fs::read(&kept).ok() == before && !program.has_ended() {
            std::thread::sleep(Duration::from_millis(5));
        }
        if program.has_ended() {
            let ended = program.end();
            assert!(ended.status.success(), "{}", ended.text);
            break;
        }
        before = std::fs::read(&kept).ok();
        kills += 1;
        program.signal_if_alive("KILL");
        program.end();
    }
    assert!(kills > 0, "the game was over before it was kept");
    assert!(!kept.exists());
    let ended = start(&words("whole"), Limits::default()).end();
    assert!(ended.status.success(), "{}", ended.text);
    let bytes = |name: &str| std::fs::read(path(name).join("selfplay-1-000.games")).unwrap();
    assert_eq!(bytes("killed"), bytes("whole"));
    std::fs::remove_dir_all(folder).unwrap();
}

/// An engine that ends, or says nothing, in the middle of a game costs that game and not the match.
#[test]
fn engines_that_die_or_fall_silent_do_not_end_a_match() {
    let folder = scratch("dying");
    for (name, script) in [
        ("dies", "read line; echo uciok; read line; exit 3"),
        ("talks nonsense", "while read line; do echo nonsense; done"),
        ("closes its output", "exec >&-; sleep 60"),
    ] {
        let engine = folder.join("engine.sh");
        std::fs::write(&engine, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
        let out = folder.join(name.replace(' ', "-")).display().to_string();
        let command = format!("cmd={}", engine.display());
        let ended = Program::start(&[
            "lab",
            "match",
            "--engine",
            "proto=internal",
            "name=one",
            "--engine",
            &command,
            "name=two",
            "--each",
            "tc=0.5+0.01",
            "--games",
            "2",
            "--out",
            &out,
        ])
        .end();
        assert!(ended.text.contains("two"), "{name}: {}", ended.text);
    }
    std::fs::remove_dir_all(folder).unwrap();
}
