//! The committed corpus, input by input.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::path::Path;
use tabiya_fuzz::TARGETS;

#[test]
fn the_corpus_holds() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (name, run) in TARGETS {
        let folder = corpus.join(name);
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut inputs = 0;
        for entry in entries {
            let path = entry.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            let held = std::panic::catch_unwind(|| run(&bytes));
            assert!(held.is_ok(), "{}", path.display());
            inputs += 1;
        }
        assert!(inputs > 0, "{name}: no input");
    }
}

#[test]
fn every_target_has_its_program() {
    let manifest = include_str!("../Cargo.toml");
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
    assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
}
