//! No file of this crate imports, directly or through others, a file that imports it.
#![allow(clippy::unwrap_used, clippy::panic)] // a test that cannot go on should stop

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Modules by path (`options::spec`), each with the modules its `use` declarations name. Test modules do not count.
type Imports = BTreeMap<String, BTreeSet<String>>;

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// `options/spec.rs` is `options::spec`, `options/mod.rs` is `options`, `lib.rs` is the empty path.
fn module_of(file: &Path) -> String {
    let text = file.with_extension("").to_string_lossy().replace(['/', '\\'], "::");
    let text = text.strip_suffix("::mod").unwrap_or(&text);
    if text == "lib" { String::new() } else { text.to_string() }
}

/// The paths of a `use` declaration, its braces expanded: `a::{b, c::{d}}` is `a::b` and `a::c::d`.
fn expand(declaration: &str) -> Vec<String> {
    let Some(open) = declaration.find('{') else { return vec![declaration.to_string()] };
    let (prefix, rest) = declaration.split_at(open);
    let inside = rest[1..].strip_suffix('}').unwrap_or(&rest[1..]);
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, letter) in inside.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[start..]);
    let full =
        parts.iter().filter(|part| !part.is_empty()).flat_map(|part| expand(&format!("{prefix}{part}")));
    full.collect()
}

/// Where a path leads from the crate's root, as if it named something in this crate.
fn resolve(path: &str, module: &str) -> String {
    let mut base: Vec<&str> = module.split("::").filter(|part| !part.is_empty()).collect();
    let mut parts = path.split("::").peekable();
    match parts.peek() {
        Some(&"crate") => {
            base.clear();
            parts.next();
        }
        Some(&"self") => {
            parts.next();
        }
        Some(&"super") => {
            while parts.next_if_eq(&"super").is_some() {
                base.pop();
            }
        }
        _ => {}
    }
    base.extend(parts);
    base.join("::")
}

fn imports_of(root: &Path) -> Imports {
    let mut files = Vec::new();
    sources(root, &mut files);
    let named: BTreeMap<String, PathBuf> =
        files.into_iter().map(|file| (module_of(file.strip_prefix(root).unwrap()), file)).collect();
    let mut imports = Imports::new();
    for (module, file) in &named {
        let text = std::fs::read_to_string(file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        let mut targets = BTreeSet::new();
        let declarations = text.split("\nuse ").skip(1).chain(text.split("\npub use ").skip(1));
        for declaration in declarations {
            let declaration: String = declaration
                .split(';')
                .next()
                .unwrap()
                .chars()
                .filter(|letter| !letter.is_whitespace())
                .collect();
            for path in expand(&declaration) {
                let mut path = resolve(&path, module);
                // The longest part of the path that is a file of this crate.
                while !path.is_empty() && !named.contains_key(&path) {
                    path = path.rfind("::").map_or(String::new(), |at| path[..at].to_string());
                }
                let starts_here = declaration.starts_with("crate") || declaration.starts_with("super");
                if path != *module && (starts_here || !path.is_empty()) {
                    targets.insert(path);
                }
            }
        }
        imports.insert(module.clone(), targets);
    }
    imports
}

fn find_circle(imports: &Imports) -> Option<Vec<String>> {
    fn walk(imports: &Imports, trail: &mut Vec<String>, done: &mut BTreeSet<String>) -> Option<Vec<String>> {
        let module = trail.last()?.clone();
        for target in imports.get(&module).into_iter().flatten() {
            if let Some(at) = trail.iter().position(|known| known == target) {
                return Some(trail[at..].to_vec());
            }
            if !done.contains(target) {
                trail.push(target.clone());
                let found = walk(imports, trail, done);
                if found.is_some() {
                    return found;
                }
                trail.pop();
            }
        }
        done.insert(module);
        None
    }
    let mut done = BTreeSet::new();
    imports.keys().find_map(|module| walk(imports, &mut vec![module.clone()], &mut done))
}

#[test]
fn no_file_imports_in_a_circle() {
    let imports = imports_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(imports["engine"].contains("search_thread"), "the parser reads nothing: {imports:?}");
    assert!(imports["play_mode::normal"].contains("play_mode::turn"), "{imports:?}");
    assert_eq!(find_circle(&imports), None);
}

#[test]
fn a_circle_is_found() {
    let edge = |from: &str, to: &[&str]| (from.to_string(), to.iter().map(ToString::to_string).collect());
    let imports =
        Imports::from([edge("a", &["b"]), edge("b", &["c", "d"]), edge("c", &[]), edge("d", &["a"])]);
    assert_eq!(find_circle(&imports).unwrap(), ["a", "b", "d"]);
    assert_eq!(expand("crate::a::{b,c::{d,e}}"), ["crate::a::b", "crate::a::c::d", "crate::a::c::e"]);
    assert_eq!(resolve("super::turn::Play", "play_mode::normal"), "play_mode::turn::Play");
}
