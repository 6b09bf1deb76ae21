//! Every file of `data/` is listed in `SHA256SUMS` with its checksum, and the folder keeps to its size.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use study_data::{checksums, sha256};

/// At most this many bytes in all.
const MOST: u64 = 12_000_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

fn files(folder: &Path, prefix: &str, found: &mut BTreeMap<String, PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            files(&path, &format!("{name}/"), found);
        } else if name != "SHA256SUMS" && name != "README.md" {
            found.insert(name, path);
        }
    }
}

#[test]
fn the_checksum_of_every_file_is_the_listed_one() {
    let list = std::fs::read_to_string(folder().join("SHA256SUMS")).unwrap();
    let listed: BTreeMap<&str, &str> =
        list.lines().map(|line| line.split_once("  ").unwrap()).map(|(sum, name)| (name, sum)).collect();
    let mut found = BTreeMap::new();
    files(&folder(), "", &mut found);
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(names, listed.keys().copied().collect::<Vec<_>>(), "files and SHA256SUMS");
    let mut size = 0;
    for (name, path) in &found {
        let bytes = std::fs::read(path).unwrap();
        size += bytes.len() as u64;
        assert_eq!(sha256::hexadecimal(&bytes), listed[name.as_str()], "{name} is damaged or was changed");
    }
    assert!(size <= MOST, "{size} bytes, expected at most {MOST}");
}

#[test]
fn every_file_has_an_origin_and_a_licence() {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let mut found = BTreeMap::new();
    files(&folder(), "", &mut found);
    for name in found.keys() {
        let (folder, file) = name.split_once('/').unwrap();
        let rows = readme.lines().filter(|line| line.starts_with(&format!("| {folder}/")));
        let extension = Path::new(file).extension().unwrap().to_string_lossy();
        let named = rows.into_iter().any(|row| {
            row.contains(file)
                || row.contains(&format!("*.{extension}"))
                || (row.contains(Path::new(file).file_stem().unwrap().to_str().unwrap())
                    && row.contains(&format!(".{extension}")))
        });
        assert!(named, "data/README.md has no row about {name}");
    }
}

#[test]
fn a_damaged_file_is_named_with_its_checksum() {
    let folder = std::env::temp_dir().join(format!("tabiya-checksums-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("suites")).unwrap();
    let file = folder.join("suites").join("one.epd");
    let sum = sha256::hexadecimal(b"whole");
    std::fs::write(folder.join("SHA256SUMS"), format!("{sum}  suites/one.epd\n")).unwrap();
    std::fs::write(&file, "whole").unwrap();
    assert_eq!(checksums::check(&file), Ok(()));
    std::fs::write(&file, "damaged").unwrap();
    let reason = checksums::check(&file).unwrap_err();
    for part in ["damaged or was changed", &sum, &sha256::hexadecimal(b"damaged"), "SHA256SUMS"] {
        assert!(reason.contains(part), "{reason}");
    }
    // What the list does not name is not judged.
    let other = folder.join("suites").join("two.epd");
    std::fs::write(&other, "anything").unwrap();
    assert_eq!(checksums::check(&other), Ok(()));
    std::fs::remove_dir_all(&folder).unwrap();
}
