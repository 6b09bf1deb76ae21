//! Whole conversations, kept as text: `> ` goes to the engine, the rest must come back line by line.
//!
//! What differs between machines and versions (times, counts, scores that are not mates, the lines behind them) is written
//! `#`. `TABIYA_GOLDEN=write cargo test -p protocol --test golden` writes the files anew, for a look at the difference.

#![allow(clippy::unwrap_used)] // a file that cannot be read should stop the test

mod common;

use common::Talk;
use std::fmt::Write as _;
use std::path::Path;

/// After these the engine answers, and the conversation waits until it has.
fn awaited(command: &str) -> Option<&'static str> {
    let is_go = command.starts_with("go") && !command.contains("infinite") && !command.contains("ponder");
    match command {
        "uci" => Some("uciok"),
        "isready" => Some("readyok"),
        "stop" | "ponderhit" => Some("bestmove"),
        "protover 2" => Some("feature done=1"),
        command if command.starts_with("ping ") => Some("pong"),
        command if command.starts_with("usermove ") => Some("move "),
        "go perft 3" => Some("Nodes searched"),
        _ => is_go.then_some("bestmove"),
    }
}

/// Leaves of a line what every machine says alike.
fn plain(line: &str) -> String {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let is_thinking = line.starts_with("info depth");
    if line.starts_with("bestmove") && line != "bestmove (none)" || line.starts_with("move ") {
        return line.split(' ').next().unwrap_or_default().to_string() + " #";
    }
    if !is_thinking {
        return line.to_string();
    }
    let is_mate = line.contains(" score mate ");
    let mut text = String::new();
    let mut words = line.split(' ');
    while let Some(word) = words.next() {
        let hidden = match word {
            "nodes" | "nps" | "hashfull" | "time" | "seldepth" | "cp" => 1,
            "wdl" if !is_mate => 3,
            _ => 0,
        };
        let _ = write!(text, "{}{word}", if text.is_empty() { "" } else { " " });
        for _ in 0..hidden {
            words.next();
            text.push_str(" #");
        }
        if word == "pv" && !is_mate {
            text.push_str(" #");
            break;
        }
    }
    text
}

fn replay(path: &Path) -> (String, String) {
    let expected = std::fs::read_to_string(path).unwrap();
    let mut talk = Talk::new();
    let mut actual = String::new();
    for line in expected.lines() {
        if line.starts_with("//") {
            let _ = writeln!(actual, "{line}");
        }
        let Some(command) = line.strip_prefix("> ") else { continue };
        let _ = writeln!(actual, "> {command}");
        talk.send(command);
        let answer = awaited(command);
        // What needs no answer may still get a remark: `isready` fences it off, unheard.
        let fence = answer.is_none() && !command.contains("infinite") && !command.starts_with("xboard");
        if let Some(end) = answer {
            let mut last = None;
            for line in talk.until(end) {
                let line = plain(&line);
                // The number of iterations before the last is the search's business.
                if line.starts_with("info depth") {
                    last = Some(line);
                    continue;
                }
                for line in last.take().into_iter().chain([line]) {
                    let _ = writeln!(actual, "{line}");
                }
            }
        } else if fence {
            talk.send("isready");
            for line in talk.until("readyok").iter().filter(|line| *line != "readyok") {
                let _ = writeln!(actual, "{}", plain(line));
            }
        }
    }
    (expected, actual)
}

#[test]
fn conversations_go_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let (expected, actual) = replay(&path);
        if std::env::var("TABIYA_GOLDEN").as_deref() == Ok("write") {
            std::fs::write(&path, &actual).unwrap();
        } else {
            assert_eq!(actual, expected, "{}", path.display());
        }
        seen += 1;
    }
    assert!(seen >= 4, "conversations: {seen}");
}
