//! Words of a command line: names, flags with a value each, and switches without one.

use super::failure::Failure;
use common::clip;

/// Earlier spellings of flags, accepted for one release.
const ALIASES: [(&str, &str); 2] = [("hold-out", "one-in"), ("lopsided", "max-opening-score")];
/// Letters of a word from outside that a message repeats.
const SHOWN: usize = 60;

pub struct Arguments {
    pub names: Vec<String>,
    flags: Vec<(String, String)>,
    switches: Vec<String>,
}

impl Arguments {
    /// `known` are the flags that take a value, `switches` those that do not.
    pub fn read(words: &[String], known: &[&str], switches: &[&str]) -> Result<Arguments, Failure> {
        let mut read = Arguments { names: Vec::new(), flags: Vec::new(), switches: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(flag) = word.strip_prefix("--") else {
                read.names.push(word.clone());
                continue;
            };
            let flag = ALIASES.iter().find(|(old, _)| *old == flag).map_or(flag, |(_, new)| *new);
            if switches.contains(&flag) {
                read.switches.push(flag.to_string());
                continue;
            }
            if !known.contains(&flag) {
                let flag = clip(flag, SHOWN);
                return Err(Failure::Usage(format!("--{flag}: no such option (see --help)")));
            }
            let value =
                words.next().ok_or_else(|| Failure::Usage(format!("--{flag}: expected a value after it")))?;
            read.flags.push((flag.to_string(), value.clone()));
        }
        Ok(read)
    }

    pub fn text(&self, flag: &str) -> Option<&str> {
        self.flags.iter().rev().find(|(name, _)| name == flag).map(|(_, value)| value.as_str())
    }

    pub fn has(&self, switch: &str) -> bool {
        self.switches.iter().any(|name| name == switch)
    }

    /// A number with an optional k, M or G behind it.
    pub fn number(&self, flag: &str, default: u64, least: u64, most: u64) -> Result<u64, Failure> {
        let Some(text) = self.text(flag) else { return Ok(default) };
        let (digits, unit) = match text.as_bytes().last() {
            Some(b'k') => (&text[..text.len() - 1], 1000),
            Some(b'M') => (&text[..text.len() - 1], 1_000_000),
            Some(b'G') => (&text[..text.len() - 1], 1_000_000_000),
            _ => (text, 1),
        };
        let value = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
        value.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
            let text = clip(text, SHOWN);
            Failure::Usage(format!("--{flag}: '{text}', expected a number from {least} to {most}"))
        })
    }

    pub fn real(&self, flag: &str, default: f32, least: f32, most: f32) -> Result<f32, Failure> {
        let Some(text) = self.text(flag) else { return Ok(default) };
        text.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
            let text = clip(text, SHOWN);
            Failure::Usage(format!("--{flag}: '{text}', expected a number from {least} to {most}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments, Failure> {
        let words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        Arguments::read(&words, &["count", "one-in"], &["overwrite"])
    }

    #[test]
    fn names_flags_and_units() {
        let read = read("a --count 3 b --count 15M").unwrap();
        assert_eq!(read.names, ["a", "b"]);
        assert_eq!(read.number("count", 1, 0, u64::MAX).unwrap(), 15_000_000);
    }

    #[test]
    fn switches_and_earlier_spellings() {
        let read = read("a --overwrite --hold-out 7 b").unwrap();
        assert!(read.has("overwrite"));
        assert_eq!((read.names.len(), read.text("one-in")), (2, Some("7")));
    }

    #[test]
    fn refusals_say_what_was_expected() {
        let message = |result: Result<_, Failure>| match result {
            Err(Failure::Usage(text)) => text,
            _ => panic!("accepted"),
        };
        assert!(message(read("--frob 1").map(|_| ())).contains("--frob: no such option"));
        assert!(message(read("--count").map(|_| ())).contains("expected a value"));
        for text in ["x", "-1", "11", "99999999999999999999", "k", "M"] {
            let number = read(&format!("--count {text}")).unwrap().number("count", 1, 1, 10);
            assert!(message(number.map(|_| ())).contains("expected a number from 1 to 10"), "{text}");
        }
    }
}
