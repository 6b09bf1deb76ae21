//! The ready-made studies run from any folder: each at its smallest scale, in a temporary one.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::process::{Command, Output};

mod common;

use common::{Folder, example, text};

fn lab(words: &[&str], folder: &Folder) -> Output {
    std::fs::create_dir_all(folder.path()).unwrap();
    Command::new(example("lab")).args(words).current_dir(folder.path()).output().unwrap()
}

#[test]
fn every_study_runs_in_an_empty_folder() {
    let mut failed = Vec::new();
    for study in study_data::studies() {
        let folder = Folder::new(&format!("study-{}", study.name));
        let begun = std::time::Instant::now();
        let output = lab(&["run", study.name, "--tiny"], &folder);
        let report = folder.path().join(format!("lab-{}", study.name)).join("report.html");
        eprintln!("{}: {:.1} s", study.name, begun.elapsed().as_secs_f64());
        if output.status.code() != Some(0) || !report.is_file() {
            failed.push(format!("{}: {}", study.name, text(&output)));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn studies_are_listed_printed_and_refused_by_name() {
    let folder = Folder::new("studies");
    let list = text(&lab(&["studies"], &folder));
    for study in study_data::studies() {
        assert!(list.contains(study.name), "{}: {list}", study.name);
        assert_eq!(text(&lab(&["run", study.name, "--print"], &folder)), study.text);
    }
    assert!(list.contains("Säfström and Yllmark"), "{list}");
    let unknown = lab(&["run", "parallel"], &folder);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown).contains("no study 'parallel'") && text(&unknown).contains("suite-wac"));
    assert_eq!(lab(&["run"], &folder).status.code(), Some(2));
}

#[test]
fn a_set_of_openings_is_drawn_to_standard_output() {
    let folder = Folder::new("openings");
    let words = ["openings", "--count", "3", "--plies", "4", "--depth", "2", "--band", "online-from-2000"];
    let output = lab(&words, &folder);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 3);
    let wrong = lab(&["openings", "--band", "masters"], &folder);
    assert!(text(&wrong).contains("expected online-below-1200"), "{}", text(&wrong));
}

/// The exported rows or games of a folder without what a clock measured, in order.
fn results(folder: &Folder, name: &str) -> Vec<Vec<String>> {
    let output = lab(&["export", name, "csv"], folder);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    // The first line says what the experiment was.
    let table = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<Vec<String>> = table.lines().skip(1).map(cells).collect();
    let measured = |column: &str| {
        ["ms", "time", "recorded"].iter().any(|unit| column.split('_').any(|part| part == *unit))
    };
    let kept: Vec<usize> = (0..lines[0].len()).filter(|column| !measured(&lines[0][*column])).collect();
    let mut rows: Vec<Vec<String>> =
        lines.iter().map(|cells| kept.iter().map(|column| cells[*column].clone()).collect()).collect();
    rows.sort();
    rows
}

/// The cells of a line of CSV; a comma between quotation marks does not end one.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().unwrap().push(letter),
        }
    }
    cells
}

#[test]
fn four_shards_join_into_the_whole() {
    let studies: [(&str, &[&str]); 4] = [
        ("match-table", &["--games", "10"]),
        ("suite-mates", &["--positions", "count=9"]),
        ("ablation-klas", &["--positions", "count=6"]),
        ("speculation-gambit", &["--ratings", "1100,1500"]),
    ];
    for (study, flags) in studies {
        let folder = Folder::new(&format!("shards-{study}"));
        let run = |more: &[&str]| {
            let words = [&["run", study, "--tiny"], flags, more].concat();
            let output = lab(&words, &folder);
            assert_eq!(output.status.code(), Some(0), "{study}: {}", text(&output));
        };
        run(&["--out", "whole"]);
        for number in 1..=4 {
            run(&["--out", &number.to_string(), "--shard", &format!("{number}/4")]);
        }
        let merged = lab(&["merge", "all", "1", "2", "3", "4"], &folder);
        assert_eq!(merged.status.code(), Some(0), "{study}: {}", text(&merged));
        assert!(text(&merged).contains("report: all"), "{study}: {}", text(&merged));
        let whole = results(&folder, "whole");
        assert!(whole.len() > 4, "{study}: {whole:?}");
        assert_eq!(results(&folder, "all"), whole, "{study}");
        // No shard has everything, and all have something.
        for number in 1..=4 {
            let part = results(&folder, &number.to_string()).len();
            assert!(part > 1 && part < whole.len(), "{study}: shard {number} has {part} lines");
        }
    }
}

#[test]
fn a_shard_of_another_experiment_leaves_nothing_behind() {
    let folder = Folder::new("wrong-shard");
    for (study, out) in [("suite-mates", "one"), ("suite-wac", "two")] {
        assert_eq!(lab(&["run", study, "--tiny", "--out", out], &folder).status.code(), Some(0));
    }
    let merged = lab(&["merge", "all", "one", "two"], &folder);
    assert_eq!(merged.status.code(), Some(1));
    assert!(text(&merged).contains("two: another experiment, which differs in"), "{}", text(&merged));
    assert!(!folder.path().join("all").exists());
    let whole = lab(&["run", "spsa-search", "--tiny", "--shard", "1/4"], &folder);
    assert_eq!(whole.status.code(), Some(2));
    assert!(text(&whole).contains("cannot be split"), "{}", text(&whole));
}
