//! Safety rule 13, as far as it can be kept without asking the network: everything comes from crates.io under a
//! checksum, and nothing under a licence that ours cannot live with. `deny.toml` holds the same for `cargo deny check`,
//! which also knows the advisories of the day.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::Command;

const LOCK: &str = include_str!("../../../Cargo.lock");

#[test]
fn every_package_comes_from_crates_io_under_a_checksum() {
    for package in LOCK.split("[[package]]").skip(1) {
        let field = |name: &str| {
            let start = format!("{name} = \"");
            package
                .lines()
                .find_map(|line| line.strip_prefix(start.as_str()))
                .map(|rest| rest.trim_end_matches('"'))
        };
        let name = field("name").unwrap_or("?");
        match field("source") {
            // Ours.
            None => {}
            Some(source) => {
                assert_eq!(source, "registry+https://github.com/rust-lang/crates.io-index", "{name}");
                assert!(field("checksum").is_some_and(|sum| sum.len() == 64), "{name}");
            }
        }
    }
}

/// Words of a licence expression that GPL-3.0-or-later can live with.
const KNOWN: [&str; 17] = [
    "0BSD",
    "Apache-2.0",
    "LLVM-exception",
    "BSD-1-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "GPL-3.0",
    "GPL-3.0-or-later",
    "GPL-3.0+",
    "ISC",
    "MIT",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

#[test]
fn every_licence_is_one_we_know() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let told = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--locked", "--manifest-path", manifest])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .output()
        .unwrap();
    if !told.status.success() {
        eprintln!("skipped: cargo metadata needs the network here");
        return;
    }
    let facts: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    for package in facts["packages"].as_array().unwrap() {
        let (name, licence) = (&package["name"], package["license"].as_str().unwrap_or(""));
        let words: Vec<&str> = licence
            .split([' ', '/', '(', ')'])
            .filter(|word| !word.is_empty() && !["OR", "AND", "WITH"].contains(word))
            .collect();
        assert!(words.iter().any(|word| KNOWN.contains(word)), "{name}: {licence:?}");
        // Every part of an "AND" has to be known; of an "OR", one is enough.
        if !licence.contains(" OR ") && !licence.contains('/') {
            assert!(words.iter().all(|word| KNOWN.contains(word)), "{name}: {licence:?}");
        }
    }
}
