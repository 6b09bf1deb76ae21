//! What the documents point at exists.

use crate::document::code;
use crate::sources;
use std::path::Path;

/// Folders whose files the documents name in code spans.
const FOLDERS: [&str; 9] =
    ["crates/", "data/", "docs/", "experiments/", "openbench/", "results/", "tools/", "trainer/", "web/"];

/// Where the handbook finds files that are not its own pages.
const REPOSITORY: [&str; 2] = [
    "https://github.com/tabiya-chess/tabiya/blob/main/",
    "https://github.com/tabiya-chess/tabiya/tree/main/",
];

fn documents() -> Vec<String> {
    sources::tracked()
        .into_iter()
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "md"))
        .collect()
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut dead = Vec::new();
    for name in documents() {
        let folder = Path::new(&name).parent().unwrap();
        let text = sources::read(&name);
        for rest in text.split("](").skip(1) {
            let target = rest.split(')').next().unwrap_or("").split('#').next().unwrap_or("");
            let inside = REPOSITORY.iter().find_map(|prefix| target.strip_prefix(prefix));
            let place = match inside {
                Some(path) => sources::root().join(path),
                None if target.is_empty() || target.contains("://") => continue,
                None => sources::root().join(folder).join(target),
            };
            // The handbook is a site of its own: what it links to is one of its pages.
            if !place.exists() || (inside.is_none() && name.starts_with("docs/") && target.starts_with(".."))
            {
                dead.push(format!("{name}: {target}"));
            }
        }
    }
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
}

#[test]
fn every_page_of_the_handbook_is_in_its_summary() {
    let summary = sources::read("docs/SUMMARY.md");
    for page in sources::files("docs", ".md").iter().filter(|page| !page.ends_with("SUMMARY.md")) {
        let name = page.trim_start_matches("docs/");
        assert!(summary.contains(&format!("({name})")), "{name} is not in docs/SUMMARY.md");
    }
}

#[test]
fn files_named_in_documents_exist() {
    let mut dead = Vec::new();
    for name in documents() {
        for line in sources::read(&name).lines() {
            for span in code(line) {
                let path = span.split([':', ' ', '#']).next().unwrap_or("");
                // Patterns, and what a build writes.
                let is_pattern = path.starts_with("web/dist")
                    || path.contains(['*', '<', '{', '$'])
                    || path.contains("..");
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
