//! The names in the documents are names of the sources.

use crate::document::code;
use crate::sources;
use std::collections::BTreeSet;

/// Documents that speak about the code.
const DOCUMENTS: [&str; 3] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/parallel.md"];

/// Is it written like a type, a path, a constant or a macro?
fn is_name(span: &str) -> bool {
    let letters = span.chars().all(|character| character.is_alphanumeric() || "_:!".contains(character));
    // Variables of the environment are read by scripts and browser tests too.
    letters
        && !span.starts_with("TABIYA_")
        && (span.contains("::") || span.ends_with('!') || span.chars().any(char::is_uppercase))
}

#[test]
fn names_in_the_documents_are_in_the_sources() {
    let mut known = BTreeSet::new();
    for name in sources::crates() {
        for source in sources::product(&name) {
            for token in source.tokens {
                known.extend(
                    token
                        .text
                        .split(|character: char| !character.is_alphanumeric() && character != '_')
                        .map(str::to_owned),
                );
            }
        }
    }
    let crates: Vec<String> = sources::crates().iter().map(|name| name.replace('-', "_")).collect();
    let mut unknown = Vec::new();
    for document in DOCUMENTS {
        for line in sources::read(document).lines() {
            for span in code(line).into_iter().filter(|span| is_name(span)) {
                for part in span.split([':', '!']).filter(|part| !part.is_empty()) {
                    if !known.contains(part) && !crates.iter().any(|name| name == part) {
                        unknown.push(format!("{document}: {span}"));
                    }
                }
            }
        }
    }
    assert!(unknown.is_empty(), "names that the sources do not have:\n{}", unknown.join("\n"));
}
