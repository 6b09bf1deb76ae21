//! Where `unsafe` stands.

use crate::document::{assert_same, first_code};
use crate::sources;

#[test]
fn only_the_listed_files_have_unsafe_code() {
    let mut found = Vec::new();
    for name in sources::crates() {
        for source in sources::product(&name) {
            if source.tokens.iter().any(|token| token.is("unsafe")) {
                found.push(source.path);
            }
        }
    }
    assert_same("files with unsafe code", first_code("ARCHITECTURE.md", "Files with unsafe code"), found);
}
