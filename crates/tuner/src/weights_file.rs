//! The weights as Rust source: one table of named weights.

use eval::hce::{Weights, features};
use std::fmt::Write as _;

/// The text of `crates/eval/src/hce/weights.rs`. `origin` says what the weights were fitted to, one line each.
pub fn rust(weights: &Weights, origin: &[String]) -> String {
    let mut text = String::from(
        "//! The weights, middlegame and endgame, by feature: written by `tabiya tune`, not by hand.\n//!\n",
    );
    for line in origin {
        let _ = writeln!(text, "//! {line}");
    }
    text.push_str(
        "\nuse super::parameters::Named;\n\n#[rustfmt::skip]\npub(super) const FITTED: &[Named] = &[\n",
    );
    for feature in features::ALL {
        let _ = writeln!(text, "    (\"{}\", &[", feature.name);
        let values = &weights.table()[feature.offset..feature.offset + feature.len];
        for row in values.chunks(8) {
            let pairs: Vec<String> =
                row.iter().map(|pair| format!("({}, {}),", pair.middlegame(), pair.endgame())).collect();
            let _ = writeln!(text, "        {}", pairs.join(" "));
        }
        text.push_str("    ]),\n");
    }
    text.push_str("];\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_there_in_order() {
        let text = rust(&Weights::FITTED, &["From somewhere.".to_string()]);
        assert!(text.contains("//! From somewhere.\n"));
        let body = text.split("&[Named] = &[").nth(1).unwrap();
        let numbers: Vec<i32> = body
            .split(|c: char| !(c.is_ascii_digit() || c == '-'))
            .filter_map(|word| word.parse().ok())
            .collect();
        let expected: Vec<i32> =
            Weights::FITTED.table().iter().flat_map(|pair| [pair.middlegame(), pair.endgame()]).collect();
        assert_eq!(numbers, expected);
    }
}
