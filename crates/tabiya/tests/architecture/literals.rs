//! A number of the search lives among the tunables.

use crate::document::{self, code};
use crate::lexer::Kind;
use crate::sources;

/// The files that decide what is pruned, reduced, extended and learnt.
const DECISIONS: [&str; 3] =
    ["crates/search/src/techniques/", "crates/search/src/node.rs", "crates/search/src/quiescence.rs"];

/// Nothing, one step, and the halves and doubles that are no matter of tuning.
const PLAIN: [&str; 3] = ["0", "1", "2"];

#[test]
fn techniques_have_no_numbers_of_their_own() {
    let allowed: Vec<(String, Vec<String>)> =
        document::table("ARCHITECTURE.md", "Numbers of the search outside the tunables")
            .iter()
            .map(|row| (code(&row[0])[0].clone(), code(&row[1])))
            .collect();
    let mut unknown = Vec::new();
    let mut used = vec![Vec::new(); allowed.len()];
    for source in sources::product("search") {
        if !DECISIONS.iter().any(|place| source.path.starts_with(place)) {
            continue;
        }
        for token in source
            .tokens
            .iter()
            .filter(|token| token.kind == Kind::Number && !PLAIN.contains(&token.text.as_str()))
        {
            let row = allowed
                .iter()
                .position(|(file, numbers)| *file == source.path && numbers.contains(&token.text));
            match row {
                Some(row) => used[row].push(token.text.clone()),
                None => unknown.push(format!("{}:{}: {}", source.path, token.line, token.text)),
            }
        }
    }
    assert!(unknown.is_empty(), "numbers that are no tunables:\n{}", unknown.join("\n"));
    for ((file, numbers), used) in allowed.iter().zip(used) {
        document::assert_same(&format!("numbers of {file}"), numbers.clone(), used);
    }
}
