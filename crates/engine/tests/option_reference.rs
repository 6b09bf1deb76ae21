//! The handbook's reference of options is written from the table of options, and is current.
#![allow(clippy::unwrap_used)] // a test that cannot go on should stop

use engine::{OptionKind, OptionTable};
use std::fmt::Write as _;
use std::path::Path;

const HEAD: &str = "# Options\n\n\
    Every option of the engine, written from the table in `crates/engine/src/options/table.rs`; do not edit.\n\
    `TABIYA_WRITE_OPTIONS=1 cargo test -p engine --test option_reference` writes this page anew.\n\n\
    Names and words may be written in any case. A value that does not fit is refused with a sentence, and the old one stays.\n\n\
    | option | value | default | meaning |\n|---|---|---|---|\n";

/// Code, or nothing; a bar would end the cell.
fn code(text: &str) -> String {
    let text = text.replace(env!("CARGO_PKG_VERSION"), "VERSION").replace('|', "\\|");
    if text.is_empty() { "empty".to_owned() } else { format!("`{text}`") }
}

fn generated() -> String {
    let mut page = HEAD.to_owned();
    for option in OptionTable::all() {
        let (value, default) = match option.kind {
            OptionKind::Check { default } => ("`true` or `false`".to_owned(), code(&default.to_string())),
            OptionKind::Spin { default, min, max } => (format!("{min} to {max}"), code(&default.to_string())),
            OptionKind::Text { default } => ("text".to_owned(), code(default)),
            OptionKind::Choice { default, values, .. } => {
                (values.iter().map(|value| code(value)).collect::<Vec<_>>().join(", "), code(default))
            }
            OptionKind::Button => ("button".to_owned(), String::new()),
        };
        let about = option.about.replace('|', "\\|");
        writeln!(page, "| `{}` | {value} | {default} | {about} |", option.name).unwrap();
    }
    page
}

#[test]
fn the_reference_of_options_is_current() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/options.md"));
    let wanted = generated();
    if std::env::var_os("TABIYA_WRITE_OPTIONS").is_some() {
        std::fs::write(path, &wanted).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == wanted, "docs/options.md is stale: run with TABIYA_WRITE_OPTIONS=1");
}
