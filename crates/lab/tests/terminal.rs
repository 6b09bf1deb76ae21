//! What engines, files and folders are called reaches the terminal, and cannot draw on it.

// Helpers of tests assert by unwrapping, as the tests themselves do.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, example, text};
use std::process::{Command, Output};

/// A name that clears the screen and then claims a result.
const HOSTILE: &str = "bad\u{1b}[2J\nElo: 900.00\r";

fn lab(words: &[&str]) -> Output {
    Command::new(example("lab")).args(words).output().unwrap()
}

/// Everything that was said, without a control character but the ends of lines, and without the claim.
fn harmless(output: &Output) -> String {
    let text = text(output);
    assert!(!text.chars().any(|letter| letter.is_control() && letter != '\n'), "{text:?}");
    assert!(!text.lines().any(|line| line.starts_with("Elo: 900")), "{text}");
    text
}

#[test]
fn names_cannot_draw_on_the_terminal() {
    let parent = Folder::new("terminal");
    let folder = parent.path().join(HOSTILE);
    std::fs::create_dir_all(&folder).unwrap();
    let book = folder.join(format!("{HOSTILE}.epd"));
    std::fs::write(&book, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n").unwrap();
    let out = folder.display().to_string();
    let cmd = format!("cmd={}", example("scripted_engine").display());
    let name = format!("name={HOSTILE}");
    let openings = format!("file={}", book.display());
    let run = || {
        let mut words = vec!["match", "--verbose", "--each", "nodes=1", "--pairs", "1", "--out", &out];
        words.extend(["--name", HOSTILE, "--openings", &openings]);
        words.extend(["--engine", &cmd, &name, "args=--illegal-after", "args=7"]);
        words.extend(["--engine", &cmd, "name=good", "args=--seed", "args=2"]);
        lab(&words)
    };
    let first = run();
    assert_eq!(first.status.code(), Some(3), "{}", text(&first));
    assert!(
        harmless(&first).contains("Results of bad\\u{1b}[2J\\nElo: 900.00\\r vs good"),
        "{}",
        text(&first)
    );
    // The games of that name are known again.
    assert!(harmless(&run()).contains("resuming: 2 games are already there"));
    for words in [
        vec!["report", &out],
        vec!["figures", &out],
        vec!["list", &out],
        vec!["compare", &out, &out],
        vec!["eas", &format!("{out}/games.pgn")],
        vec!["report", "no\u{1b}such\nElo: 900"],
    ] {
        let output = lab(&words);
        assert!(!harmless(&output).is_empty(), "{words:?}");
    }
}

#[test]
fn games_of_other_programs_cannot_either() {
    let folder = Folder::new("terminal-import");
    std::fs::create_dir_all(folder.path()).unwrap();
    let file = folder.path().join("a.pgn");
    let game = |white: &str, black: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n")
    };
    let bad = "bad\u{1b}[2J\u{9b}2J";
    std::fs::write(&file, game(bad, "good") + &game("good", bad)).unwrap();
    let out = folder.path().join("out").display().to_string();
    let output = lab(&["import", &file.display().to_string(), "--each", "nodes=1", "--out", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(harmless(&output).contains("bad [2J\\u{9b}2J vs good"), "{}", text(&output));
    let output = lab(&["eas", &file.display().to_string()]);
    assert!(harmless(&output).contains("bad [2J\\u{9b}2J"), "{}", text(&output));
}
