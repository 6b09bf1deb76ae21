//! Words that are no longer used stand only where an alias needs them.

use crate::document::{self, code};
use crate::sources;

/// The words of a line: identifiers are taken apart, so that `OldWord` and `old_word` both say "old".
fn words(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    let mut last = ' ';
    for character in line.chars() {
        let begins = character.is_uppercase() && last.is_lowercase();
        if (begins || !character.is_alphabetic()) && !word.is_empty() {
            found.push(std::mem::take(&mut word));
        }
        if character.is_alphabetic() {
            word.extend(character.to_lowercase());
        }
        last = character;
    }
    found.push(word);
    found
}

#[test]
fn retired_words_stand_only_where_an_alias_needs_them() {
    let rows: Vec<(Vec<String>, Vec<String>)> = document::table("ARCHITECTURE.md", "Retired words")
        .iter()
        .map(|row| (code(&row[0]), code(&row[1])))
        .collect();
    let mut wrong = Vec::new();
    for name in sources::tracked() {
        // The table itself, and results as programs wrote them.
        if name == "ARCHITECTURE.md" || name.starts_with("crates/tabiya/tests/architecture/") {
            continue;
        }
        let text = std::fs::read_to_string(sources::root().join(&name)).unwrap_or_default();
        for (number, line) in text.lines().enumerate() {
            let lower = line.to_lowercase();
            let said = words(line);
            for (retired, places) in &rows {
                let word = retired.iter().find(|word| {
                    if word.chars().all(char::is_alphabetic) {
                        said.contains(word)
                    } else {
                        lower.contains(word.as_str())
                    }
                });
                if let Some(word) = word
                    && !places.contains(&name)
                {
                    wrong.push(format!("{name}:{}: {word}", number + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "retired words:\n{}", wrong.join("\n"));
}

#[test]
fn identifiers_are_taken_apart() {
    assert_eq!(words("OldWord old_word(SomeOLD)"), ["old", "word", "old", "word", "some", "old", ""]);
}
