//! The glossary is in order, and its places exist.

use crate::document::{code, table};
use crate::sources;

#[test]
fn the_glossary_is_in_order_and_its_places_exist() {
    let rows = table("docs/glossary.md", "Glossary");
    for row in &rows {
        assert_eq!(row.len(), 4, "{row:?}");
        assert!(!row[2].is_empty(), "{row:?}");
        for place in code(&row[3]) {
            assert!(sources::root().join(&place).exists(), "{}: {place} is not there", row[0]);
        }
    }
    let terms: Vec<String> = rows.iter().map(|row| row[0].to_lowercase()).collect();
    let mut sorted = terms.clone();
    sorted.sort();
    assert_eq!(terms, sorted, "terms in alphabetical order");
}
