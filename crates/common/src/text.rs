//! Text from outside, made safe to show and to write.

use std::fmt::Write as _;

/// At most `letters` characters of `text` for an error message: longer text is cut and ends in `...`, and control
/// characters are escaped.
pub fn clip(text: &str, letters: usize) -> String {
    let mut characters = text.chars();
    let start: String = characters.by_ref().take(letters).collect();
    let mut clipped = escape_control(&start);
    if characters.next().is_some() {
        clipped.push_str("...");
    }
    clipped
}

/// `text` with every control character written as its escape (`\n`, `\u{1b}`), so that it cannot move a cursor or
/// start a line.
pub fn escape_control(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "{}", letter.escape_default());
        } else {
            escaped.push(letter);
        }
    }
    escaped
}

/// `value` as the quoted value of a PGN tag: quotes and backslashes are escaped, control characters become spaces.
pub fn quote_tag(value: &str) -> String {
    let mut quoted = String::with_capacity(value.len() + 2);
    quoted.push('"');
    for letter in value.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ if letter.is_control() => quoted.push(' '),
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_at_a_character() {
        assert_eq!(clip("abc", 3), "abc");
        assert_eq!(clip("äöüß", 3), "äöü...");
        assert_eq!(clip("", 0), "");
        assert_eq!(clip("x", 0), "...");
    }

    #[test]
    fn control_characters_are_shown_and_not_obeyed() {
        assert_eq!(clip("a\u{1b}[2Jb\n", 20), "a\\u{1b}[2Jb\\n");
        assert_eq!(escape_control("Größe"), "Größe");
    }

    #[test]
    fn a_tag_value_stays_on_its_line() {
        assert_eq!(quote_tag("a \"b\"\\\n[Event"), "\"a \\\"b\\\"\\\\ [Event\"");
    }
}
