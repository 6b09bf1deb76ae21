//! Libraries do not print.

use crate::document::{assert_same, first_code};
use crate::sources;

const MACROS: [&str; 5] = ["print", "println", "eprint", "eprintln", "dbg"];
const STREAMS: [&str; 3] = ["stdout", "stderr", "stdin"];

#[test]
fn only_the_listed_crates_write_to_the_standard_streams() {
    let mut found = Vec::new();
    for name in sources::crates() {
        for source in sources::product(&name) {
            for window in source.tokens.windows(3) {
                let prints = MACROS.iter().any(|word| window[0].is(word)) && window[1].is("!");
                let opens =
                    window[0].is(":") && STREAMS.iter().any(|word| window[1].is(word)) && window[2].is("(");
                if prints || opens {
                    println!("{}:{}", source.path, window[1].line);
                    found.push(name.clone());
                }
            }
        }
    }
    assert_same(
        "crates that print",
        first_code("ARCHITECTURE.md", "Crates that use the standard streams"),
        found,
    );
}
