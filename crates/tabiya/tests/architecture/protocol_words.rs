//! Protocol words stay in `protocol`.

use crate::document::{assert_same, first_code};
use crate::lexer::Kind;
use crate::sources;

/// Words that mean something to UCI, XBoard or the Leiserchess protocol and nothing elsewhere.
const WORDS: [&str; 16] = [
    "bestmove",
    "btime",
    "currmovenumber",
    "hashfull",
    "isready",
    "movestogo",
    "ponderhit",
    "protover",
    "readyok",
    "searchmoves",
    "setoption",
    "uciok",
    "ucinewgame",
    "usermove",
    "winc",
    "wtime",
];

#[test]
fn only_the_listed_files_know_protocol_words() {
    let mut found = Vec::new();
    for name in sources::crates().iter().filter(|name| *name != "protocol") {
        for source in sources::product(name) {
            for token in source.tokens.iter().filter(|token| token.kind == Kind::Text) {
                let mut words = token.text.split(|character: char| !character.is_alphanumeric());
                if let Some(word) = words.find(|word| WORDS.contains(word)) {
                    println!("{}:{}: {word}", source.path, token.line);
                    found.push(source.path.clone());
                }
            }
        }
    }
    assert_same(
        "files with protocol words",
        first_code("ARCHITECTURE.md", "Protocol words elsewhere"),
        found,
    );
}
