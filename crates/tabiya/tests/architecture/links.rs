//! What the documents point at exists.

use crate::document::code;
use crate::sources;
use std::path::Path;

/// Folders whose files the documents name in code spans.
const FOLDERS: [&str; 9] =
    ["crates/", "data/", "docs/", "experiments/", "openbench/", "results/", "tools/", "trainer/", "web/"];

fn documents() -> Vec<String> {
    sources::tracked().into_iter().filter(|name| name.ends_with(".md")).collect()
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut dead = Vec::new();
    for name in documents() {
        let folder = Path::new(&name).parent().unwrap();
        let text = sources::read(&name);
        for rest in text.split("](").skip(1) {
            let target = rest.split(')').next().unwrap_or("").split('#').next().unwrap_or("");
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            if !sources::root().join(folder).join(target).exists() {
                dead.push(format!("{name}: {target}"));
            }
        }
    }
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
}

#[test]
fn files_named_in_documents_exist() {
    let mut dead = Vec::new();
    for name in documents() {
        for line in sources::read(&name).lines() {
            for span in code(line) {
                let path = span.split([':', ' ', '#']).next().unwrap_or("");
                let is_pattern = path.contains(['*', '<', '{', '$']) || path.contains("..");
                if FOLDERS.iter().any(|folder| path.starts_with(folder))
                    && !is_pattern
                    && !sources::root().join(path).exists()
                {
                    dead.push(format!("{name}: {path}"));
                }
            }
        }
    }
    assert!(dead.is_empty(), "files that are not there:\n{}", dead.join("\n"));
}
