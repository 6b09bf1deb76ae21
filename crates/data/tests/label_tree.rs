//! Labelling search trees of files of games: the same samples however many threads, and after a stop.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use common::{Folder, games};
use data::file::{FileError, Header, Writer};
use data::label_tree::{LabelTree, Progress, TreeLabels, label_tree};
use data::sample::SAMPLE_BYTES;
use eval::Evaluation;
use std::fs;
use std::path::Path;

/// A file of games with one game a block.
fn settings_in(folder: &Folder) -> LabelTree {
    let path = folder.0.join("some.games");
    let mut writer = Writer::open(&path, &Header::default()).unwrap();
    for game in games(6) {
        writer.write(&game).unwrap();
        writer.flush().unwrap();
    }
    LabelTree {
        inputs: vec![path],
        out: folder.0.join("samples"),
        held_out: Some((folder.0.join("held-out"), 3)),
        labels: TreeLabels { nodes: 500, depth: 2, every: 8 },
        evaluation: Evaluation::default(),
        seed: 1,
        threads: 1,
        megabytes: 1,
    }
}

fn run(settings: &LabelTree) -> Result<Progress, FileError> {
    label_tree(settings, &mut |_| {}, &mut |error| panic!("{error}"))
}

fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap()
}

#[test]
fn threads_change_nothing_and_every_game_is_on_one_side() {
    let (one, two) = (Folder::new("label-one"), Folder::new("label-two"));
    let (alone, together) = (settings_in(&one), LabelTree { threads: 2, ..settings_in(&two) });
    let done = run(&alone).unwrap();
    assert_eq!(run(&together).unwrap(), done);
    assert!(done.samples > 20 && done.held_out > 5, "{done:?}");
    assert_eq!((done.blocks, done.all_blocks), (6, 6));
    assert_eq!(bytes(&alone.out), bytes(&together.out));
    assert_eq!(bytes(&alone.out).len() as u64, done.samples * SAMPLE_BYTES as u64);
    let held_out = alone.held_out.unwrap().0;
    assert_eq!(bytes(&held_out).len() as u64, done.held_out * SAMPLE_BYTES as u64);
}

#[test]
fn it_goes_on_behind_the_progress_file() {
    let folder = Folder::new("label-again");
    let settings = settings_in(&folder);
    let mut steps = Vec::new();
    label_tree(&settings, &mut |done| steps.push(*done), &mut |error| panic!("{error}")).unwrap();
    let (whole, note) = (bytes(&settings.out), folder.0.join("samples.progress"));
    let text = fs::read_to_string(&note).unwrap();
    let plan = text.lines().nth(1).unwrap();
    // Killed after the first chunk, in the middle of writing the second.
    let Progress { blocks, samples, held_out, .. } = steps[1];
    assert!(steps[0].blocks == 0 && blocks < 6);
    fs::write(&note, format!("{blocks} {samples} {held_out}\n{plan}\n")).unwrap();
    let torn = [&whole[..samples as usize * SAMPLE_BYTES], b"another"].concat();
    fs::write(&settings.out, torn).unwrap();
    assert_eq!(run(&settings).unwrap(), *steps.last().unwrap());
    assert_eq!(bytes(&settings.out), whole);
}

#[test]
fn another_run_and_a_lost_file_are_refused() {
    let folder = Folder::new("label-other");
    let settings = settings_in(&folder);
    run(&settings).unwrap();
    let other = LabelTree { labels: TreeLabels { depth: 3, ..settings.labels }, ..settings.clone() };
    let said = run(&other).unwrap_err().to_string();
    assert!(said.contains("another run") && said.contains("depth 2") && said.contains("depth 3"), "{said}");
    fs::write(&settings.out, [0; 5]).unwrap();
    let said = run(&settings).unwrap_err().to_string();
    assert!(said.contains("5 bytes, expected the"), "{said}");
}
