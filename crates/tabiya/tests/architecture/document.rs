//! The tables of the documents.

use crate::sources;

/// The rows of the first table below a heading, without its head; each row is its cells, trimmed.
pub fn table(document: &str, heading: &str) -> Vec<Vec<String>> {
    let text = sources::read(document);
    let below = text
        .lines()
        .skip_while(|line| line.trim_start_matches('#').trim() != heading || !line.starts_with('#'))
        .skip(1)
        .take_while(|line| !line.starts_with('#'));
    let rows: Vec<Vec<String>> = below.filter(|line| line.starts_with('|')).map(cells).collect();
    assert!(rows.len() > 2, "{document}: no table below the heading '{heading}'");
    rows[2..].to_vec()
}

fn cells(line: &str) -> Vec<String> {
    line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// The words between backticks.
pub fn code(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The first word between backticks of each row.
pub fn first_code(document: &str, heading: &str) -> Vec<String> {
    let rows = table(document, heading);
    rows.iter()
        .map(|row| code(&row[0]).first().unwrap_or_else(|| panic!("{row:?}: no code")).clone())
        .collect()
}

/// What both sides say: an error that names what only one of them has.
pub fn assert_same(what: &str, mut documented: Vec<String>, mut found: Vec<String>) {
    documented.sort();
    found.sort();
    found.dedup();
    let untrue: Vec<&String> = documented.iter().filter(|item| !found.contains(item)).collect();
    let missing: Vec<&String> = found.iter().filter(|item| !documented.contains(item)).collect();
    assert!(
        untrue.is_empty() && missing.is_empty(),
        "{what}: listed but not found: {untrue:?}; found but not listed: {missing:?}"
    );
}
