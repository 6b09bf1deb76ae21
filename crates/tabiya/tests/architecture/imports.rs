//! No file imports one that imports it, directly or by way of others.

use crate::document::{self, assert_same, code};
use crate::sources::{self, Source};
use std::collections::{BTreeMap, BTreeSet};

/// Files by the module they hold: `[]` is the crate's root.
type Modules = BTreeMap<Vec<String>, String>;

/// The module a file holds.
fn module_of(path: &str) -> Vec<String> {
    let inside = path.split_once("/src/").map_or(path, |(_, inside)| inside);
    let mut module: Vec<String> = inside.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        module.pop();
    }
    module
}

/// The files that one file names, by `use` or by a path in its code.
fn imports(source: &Source, modules: &Modules) -> BTreeSet<String> {
    let own = module_of(&source.path);
    let mut found = BTreeSet::new();
    let mut at = 0;
    // Names of the modules written out inside this file, with the depth of braces at which each ends.
    let mut inner: Vec<(String, usize)> = Vec::new();
    let mut depth = 0;
    while at < source.tokens.len() {
        let token = &source.tokens[at];
        let next_is =
            |ahead: usize, text: &str| source.tokens.get(at + ahead).is_some_and(|token| token.is(text));
        if token.is("mod") && next_is(2, "{") {
            inner.push((source.tokens[at + 1].text.clone(), depth));
            depth += 1;
            at += 3;
            continue;
        }
        if token.is("{") {
            depth += 1;
        } else if token.is("}") {
            depth -= 1;
            if inner.last().is_some_and(|(_, end)| *end == depth) {
                inner.pop();
            }
        }
        let here: Vec<String> =
            own.iter().cloned().chain(inner.iter().map(|(name, _)| name.clone())).collect();
        let starts = at == 0 || !source.tokens[at - 1].is(":");
        let mut paths = Vec::new();
        if token.is("use") && starts {
            at = tree(source, at + 1, &Vec::new(), &mut paths);
        } else if starts && next_is(1, ":") && next_is(2, ":") {
            // A path from the root, `<::chess::Move>`, is another crate's: the tree ends where it begins.
            at = tree(source, at, &Vec::new(), &mut paths).max(at + 1);
        } else {
            at += 1;
        }
        for path in paths {
            if let Some(file) = resolve(&path, &here, modules)
                && *file != source.path
            {
                found.insert(file.clone());
            }
        }
    }
    found
}

/// Reads a path or a tree of paths, `a::{b, c::D}`; answers where it ends.
fn tree(source: &Source, mut at: usize, prefix: &[String], paths: &mut Vec<Vec<String>>) -> usize {
    let mut path = prefix.to_vec();
    let is = |at: usize, text: &str| source.tokens.get(at).is_some_and(|token| token.is(text));
    loop {
        if is(at, "{") {
            at += 1;
            while at < source.tokens.len() && !is(at, "}") {
                at = tree(source, at, &path, paths);
                if is(at, "as") {
                    at += 2;
                }
                if is(at, ",") {
                    at += 1;
                }
            }
            return at + 1;
        }
        let Some(token) = source.tokens.get(at) else { return at };
        // A path ends at whatever is no part of one; a generic argument is read as a path of its own.
        if token.is("}") || token.is(",") || token.is(";") || token.is("<") {
            paths.push(path);
            return at;
        }
        path.push(token.text.clone());
        at += 1;
        if is(at, ":") && is(at + 1, ":") {
            at += 2;
        } else {
            paths.push(path);
            return at;
        }
    }
}

/// The file a path leads to, if it stays in the crate.
fn resolve<'a>(path: &[String], here: &[String], modules: &'a Modules) -> Option<&'a String> {
    let mut absolute: Vec<String> = Vec::new();
    let mut rest = path;
    match path.first().map(String::as_str)? {
        "crate" => rest = &path[1..],
        "self" => {
            absolute = here.to_vec();
            rest = &path[1..];
        }
        "super" => {
            absolute = here.to_vec();
            while rest.first().is_some_and(|part| part == "super") {
                absolute.pop();
                rest = &rest[1..];
            }
        }
        first => {
            absolute = here.to_vec();
            absolute.push(first.to_owned());
            modules.get(&absolute)?;
            rest = &path[1..];
        }
    }
    for part in rest {
        absolute.push(part.clone());
    }
    while !modules.contains_key(&absolute) {
        absolute.pop()?;
    }
    modules.get(&absolute)
}

/// The sets of files of a crate that import each other, each in order.
fn circles(name: &str) -> Vec<Vec<String>> {
    let sources = sources::product(name);
    let modules: Modules =
        sources.iter().map(|source| (module_of(&source.path), source.path.clone())).collect();
    let mut reached: BTreeMap<String, BTreeSet<String>> =
        sources.iter().map(|source| (source.path.clone(), imports(source, &modules))).collect();
    loop {
        let mut grown = false;
        for file in reached.keys().cloned().collect::<Vec<_>>() {
            let further: BTreeSet<String> =
                reached[&file].iter().flat_map(|other| reached[other].iter().cloned()).collect();
            let own = reached.get_mut(&file).unwrap();
            let before = own.len();
            own.extend(further);
            grown |= own.len() > before;
        }
        if !grown {
            break;
        }
    }
    let mut found: Vec<Vec<String>> = Vec::new();
    for (file, others) in &reached {
        if !others.contains(file) || found.iter().any(|circle| circle.contains(file)) {
            continue;
        }
        found.push(others.iter().filter(|other| reached[*other].contains(file)).cloned().collect());
    }
    found
}

#[test]
fn files_do_not_import_in_a_circle() {
    let mut found = Vec::new();
    for name in sources::crates() {
        let inside = format!("crates/{name}/src/");
        for circle in circles(&name) {
            let files: Vec<&str> =
                circle.iter().map(|file| file.trim_start_matches(inside.as_str())).collect();
            found.push(format!("{name}: {}", files.join(" ")));
        }
    }
    let allowed = document::table("ARCHITECTURE.md", "Import circles that stay")
        .iter()
        .map(|row| format!("{}: {}", code(&row[0]).concat(), code(&row[1]).join(" ")))
        .collect();
    assert_same("circles of imports", allowed, found);
}

#[test]
fn paths_are_found_and_resolved() {
    let source =
        |path: &str, text: &str| Source { path: path.to_owned(), tokens: crate::lexer::tokens(text) };
    let sources = [
        source("crates/x/src/lib.rs", "mod a; mod b; pub use a::A;"),
        source("crates/x/src/a/mod.rs", "mod c; use crate::b::{self, B, c::D}; fn f() { c::g() }"),
        source(
            "crates/x/src/a/c.rs",
            "use super::A; use std::fmt::{self, Write}; use crate::{Thing, b::E as F};",
        ),
        source("crates/x/src/b.rs", "mod inner { use super::super::a::c::C; }"),
    ];
    let modules: Modules =
        sources.iter().map(|source| (module_of(&source.path), source.path.clone())).collect();
    let of = |at: usize| {
        let names: Vec<String> = imports(&sources[at], &modules).into_iter().collect();
        names.join(" ").replace("crates/x/src/", "")
    };
    assert_eq!(of(0), "a/mod.rs");
    assert_eq!(of(1), "a/c.rs b.rs");
    assert_eq!(of(2), "a/mod.rs b.rs lib.rs");
    assert_eq!(of(3), "a/c.rs");
}
