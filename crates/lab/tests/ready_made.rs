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
