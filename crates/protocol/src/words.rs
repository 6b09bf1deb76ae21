//! Walking over the words of a line.

/// Words separated by any white space; `\r` and tabs are white space too.
#[derive(Clone)]
pub struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub fn new(line: &'a str) -> Words<'a> {
        Words { rest: line }
    }

    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The next word as a number. A word that is no number is left in place.
    pub fn number<N: std::str::FromStr>(&mut self) -> Option<N> {
        let number = self.peek()?.parse().ok()?;
        self.next();
        Some(number)
    }

    /// Everything up to the word `end`, which is consumed, or to the end of the line.
    pub fn until(&mut self, end: &str) -> &'a str {
        let start = self.rest.trim_start();
        let mut ahead = self.clone();
        loop {
            let before = ahead.rest;
            match ahead.next() {
                Some(word) if word == end => {
                    let length = start.len() - before.trim_start().len();
                    self.rest = ahead.rest;
                    return start[..length].trim_end();
                }
                Some(_) => {}
                None => {
                    self.rest = "";
                    return start.trim_end();
                }
            }
        }
    }

    /// Everything that is left.
    pub fn remainder(self) -> &'a str {
        self.rest.trim()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        if text.is_empty() {
            self.rest = "";
            return None;
        }
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_words_whatever_separates_them() {
        let words: Vec<_> = Words::new(" go\t depth  5\r\n").collect();
        assert_eq!(words, ["go", "depth", "5"]);
    }

    #[test]
    fn until_keeps_inner_spaces() {
        let mut words = Words::new("  Move Overhead  value  30 ");
        assert_eq!(words.until("value"), "Move Overhead");
        assert_eq!(words.remainder(), "30");
        let mut words = Words::new("Clear Hash");
        assert_eq!(words.until("value"), "Clear Hash");
        assert_eq!(words.remainder(), "");
    }

    #[test]
    fn a_word_that_is_no_number_stays() {
        let mut words = Words::new("x 5");
        assert_eq!(words.number::<u32>(), None);
        assert_eq!(words.next(), Some("x"));
        assert_eq!(words.number::<u32>(), Some(5));
    }
}
