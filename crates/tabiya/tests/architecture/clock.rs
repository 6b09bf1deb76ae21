//! Where the wall clock is read.

use crate::document::{assert_same, code, table};
use crate::sources;

#[test]
fn only_the_listed_crates_read_the_wall_clock() {
    let mut found = Vec::new();
    for name in sources::crates() {
        for source in sources::product(&name) {
            for window in source.tokens.windows(4) {
                let clock =
                    ["Instant", "SystemTime"].iter().any(|word| window[0].is(word)) && window[3].is("now");
                let sleep = window[0].is("thread") && (window[3].is("sleep") || window[3].is("park_timeout"));
                if clock || sleep {
                    println!("{}:{}", source.path, window[0].line);
                    found.push(name.clone());
                }
            }
        }
    }
    let rows = table("ARCHITECTURE.md", "Crates that read the wall clock or sleep");
    let documented = rows.iter().flat_map(|row| code(&row[0])).collect();
    assert_same("crates that read the clock", documented, found);
}
