//! The files of the repository.

use crate::lexer::{Token, tokens};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The text of a file, named from the root.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All files below a folder with this ending, named from the root, in order.
pub fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(&root().join(folder), &mut found);
    let root = root();
    let mut names: Vec<String> = found
        .iter()
        .map(|path| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/"))
        .filter(|name| name.ends_with(ending))
        .collect();
    names.sort();
    names
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries.map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == "target" || name == "node_modules" || name == "dist" || name.starts_with('.') {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), found);
        } else {
            found.push(entry.path());
        }
    }
}

/// The names of the workspace's crates: the folders of `crates/`.
pub fn crates() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().join("Cargo.toml").exists())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// One Rust file of a crate's `src`, without its tests.
pub struct Source {
    /// Its name from the root.
    pub path: String,
    /// Its tokens outside `#[cfg(test)]` items.
    pub tokens: Vec<Token>,
}

/// The product's sources of one crate: `src`, without files and items that only tests have.
pub fn product(name: &str) -> Vec<Source> {
    files(&format!("crates/{name}/src"), ".rs")
        .into_iter()
        .filter(|path| !is_test_file(path))
        .map(|path| {
            let tokens = without_tests(&tokens(&read(&path)));
            Source { path, tokens }
        })
        .collect()
}

/// A file of tests inside `src`, as `#[cfg(test)] mod tests;` names it.
pub fn is_test_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// Drops each item below `#[cfg(test)]`.
fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let attribute = ["#", "[", "cfg", "(", "test", ")", "]"];
        let is_test = attribute
            .iter()
            .enumerate()
            .all(|(ahead, text)| tokens.get(at + ahead).is_some_and(|token| token.is(text)));
        if !is_test {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        at += attribute.len();
        let mut depth = 0;
        while at < tokens.len() {
            let token = &tokens[at];
            at += 1;
            if token.is("{") {
                depth += 1;
            } else if token.is("}") {
                depth -= 1;
            }
            if depth == 0 && (token.is("}") || token.is(";")) {
                break;
            }
        }
    }
    kept
}

/// All tracked files that are text, named from the root.
pub fn tracked() -> Vec<String> {
    let listed = Command::new("git").arg("ls-files").current_dir(root()).output();
    let names: Vec<String> = match listed {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
        }
        // An archive of the sources has no history: take what is there.
        _ => files("", ""),
    };
    names.into_iter().filter(|name| is_text(name) && root().join(name).exists()).collect()
}

fn is_text(name: &str) -> bool {
    let endings = [
        "rs", "md", "toml", "py", "ts", "mjs", "js", "css", "html", "sh", "yml", "yaml", "json", "cpp", "h",
        "cu", "epd", "txt",
    ];
    name == "Makefile"
        || name == ".ci/run"
        || name.rsplit('.').next().is_some_and(|ending| endings.contains(&ending))
}
