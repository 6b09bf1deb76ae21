//! Which crate may know which, and how large a crate may grow.

use crate::document::{self, assert_same, code};
use crate::sources;
use std::process::Command;

const LINES: usize = 9_000;

/// The crates of the table with what each depends on, in the table's order.
fn documented() -> Vec<(String, Vec<String>)> {
    document::table("ARCHITECTURE.md", "Crates")
        .iter()
        .map(|row| (code(&row[0])[0].clone(), code(&row[2])))
        .collect()
}

/// The crates of the workspace with those of ours that each depends on, tests and build scripts apart.
fn actual() -> Vec<(String, Vec<String>)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(sources::root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let facts: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let mut found: Vec<(String, Vec<String>)> = facts["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| {
            let ours = package["dependencies"].as_array().unwrap().iter();
            let ours =
                ours.filter(|dependency| dependency["kind"].is_null() && !dependency["path"].is_null());
            (text(&package["name"]), ours.map(|dependency| text(&dependency["name"])).collect())
        })
        .collect();
    found.sort();
    found
}

#[test]
fn the_table_of_crates_is_what_cargo_says() {
    let documented = documented();
    let actual = actual();
    let names = |list: &[(String, Vec<String>)]| list.iter().map(|(name, _)| name.clone()).collect();
    assert_same("crates", names(&documented), names(&actual));
    for (name, dependencies) in &actual {
        let (_, listed) = documented.iter().find(|(other, _)| other == name).unwrap();
        assert_same(&format!("dependencies of {name}"), listed.clone(), dependencies.clone());
    }
}

#[test]
fn dependencies_point_down_the_table() {
    let documented = documented();
    let place = |name: &String| documented.iter().position(|(other, _)| other == name);
    for (name, dependencies) in &documented {
        for dependency in dependencies {
            assert!(place(dependency) > place(name), "{name} depends on {dependency}, which stands above it");
        }
    }
}

#[test]
fn no_crate_is_too_large_to_read() {
    for name in sources::crates() {
        let files = sources::files(&format!("crates/{name}/src"), ".rs");
        let product = files.iter().filter(|file| !sources::is_test_file(file));
        let lines: usize = product.map(|file| sources::read(file).lines().count()).sum();
        assert!(lines <= LINES, "{name}: {lines} lines of source, at most {LINES}");
    }
}
