//! Reading a command line against a command's row of the table.

use super::{Command, Failure, suggest};
use std::str::FromStr;

/// The arguments of one command, checked against its flags.
pub struct Parsed {
    command: &'static str,
    positional: Vec<String>,
    flags: Vec<(&'static str, Option<String>)>,
}

impl Parsed {
    pub(super) fn read(command: &Command, arguments: &[String]) -> Result<Parsed, Failure> {
        let mut parsed = Parsed { command: command.name, positional: Vec::new(), flags: Vec::new() };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let Some(flag) = argument.strip_prefix("--") else {
                parsed.positional.push(argument.clone());
                continue;
            };
            if flag.is_empty() {
                parsed.positional.extend(rest.cloned());
                break;
            }
            let (name, attached) = match flag.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (flag, None),
            };
            let Some(known) = command.flags.iter().find(|known| known.name == name) else {
                let hint = suggest::closest(name, command.flags.iter().map(|known| known.name));
                return Err(parsed.usage(&format!("unknown flag '--{name}'{hint}")));
            };
            let value = match (known.value, attached) {
                (None, None) => None,
                (None, Some(_)) => return Err(parsed.usage(&format!("--{name} takes no value"))),
                (Some(_), Some(value)) => Some(value),
                (Some(expected), None) => match rest.next() {
                    Some(value) => Some(value.clone()),
                    None => return Err(parsed.usage(&format!("--{name} needs a value: --{name} {expected}"))),
                },
            };
            parsed.flags.push((known.name, value));
        }
        Ok(parsed)
    }

    /// A complaint about this command line.
    pub fn usage(&self, problem: &str) -> Failure {
        Failure::Usage(format!("{0}: {problem}; `tabiya help {0}` shows how", self.command))
    }

    pub fn positional(&self) -> &[String] {
        &self.positional
    }

    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|(name, _)| *name == flag)
    }

    /// The last value given for a flag.
    pub fn text(&self, flag: &str) -> Option<&str> {
        self.flags.iter().rev().find(|(name, _)| *name == flag).and_then(|(_, value)| value.as_deref())
    }

    /// Every value given for a flag, in order.
    pub fn texts(&self, flag: &str) -> impl Iterator<Item = &str> {
        self.flags.iter().filter(move |(name, _)| *name == flag).filter_map(|(_, value)| value.as_deref())
    }

    pub fn number<N: FromStr + PartialOrd + std::fmt::Display>(
        &self,
        flag: &str,
        default: N,
        range: std::ops::RangeInclusive<N>,
    ) -> Result<N, Failure> {
        let Some(text) = self.text(flag) else { return Ok(default) };
        match text.parse() {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => Err(self.usage(&format!(
                "--{flag} '{text}', expected a number from {} to {}",
                range.start(),
                range.end()
            ))),
        }
    }

    /// The only positional argument, as a number.
    pub fn single_number<N: FromStr + PartialOrd + std::fmt::Display>(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<N>,
    ) -> Result<N, Failure> {
        let expected = format!("expected {name}, a number from {} to {}", range.start(), range.end());
        match self.positional.as_slice() {
            [text] => text
                .parse()
                .ok()
                .filter(|number| range.contains(number))
                .ok_or_else(|| self.usage(&format!("'{text}': {expected}"))),
            [] => Err(self.usage(&expected)),
            [_, extra, ..] => Err(self.usage(&format!("'{extra}' is one argument too many"))),
        }
    }

    /// Refuses positional arguments.
    pub fn no_positional(&self) -> Result<(), Failure> {
        match self.positional.first() {
            None => Ok(()),
            Some(extra) => Err(self.usage(&format!("unexpected argument '{extra}'"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Flag, Run};
    use super::*;

    const COMMAND: Command = Command {
        name: "count",
        summary: "",
        arguments: "DEPTH",
        flags: &[
            Flag { name: "fen", value: Some("FEN"), help: "" },
            Flag { name: "divide", value: None, help: "" },
            Flag { name: "threads", value: Some("N"), help: "" },
        ],
        examples: &[],
        run: Run::Parsed(|_| Ok(())),
    };

    fn read(line: &[&str]) -> Result<Parsed, String> {
        let arguments: Vec<String> = line.iter().map(ToString::to_string).collect();
        Parsed::read(&COMMAND, &arguments).map_err(|failure| format!("{failure:?}"))
    }

    #[test]
    fn flags_in_any_order_and_both_forms() {
        let parsed = read(&["--divide", "5", "--fen=8/8 w", "--threads", "2"]).unwrap();
        assert_eq!(parsed.positional(), ["5"]);
        assert_eq!(parsed.text("fen"), Some("8/8 w"));
        assert!(parsed.has("divide"));
        assert_eq!(parsed.number("threads", 1, 1..=8).unwrap(), 2);
        assert_eq!(parsed.single_number::<u32>("DEPTH", 0..=9).unwrap(), 5);
    }

    #[test]
    fn complaints_name_the_flag_and_what_was_expected() {
        assert!(read(&["--fenn", "x"]).err().unwrap().contains("did you mean 'fen'?"));
        assert!(read(&["--fen"]).err().unwrap().contains("--fen needs a value: --fen FEN"));
        assert!(read(&["--divide=1"]).err().unwrap().contains("takes no value"));
        let parsed = read(&["--threads", "99", "x"]).unwrap();
        assert!(parsed.number("threads", 1, 1..=8).is_err());
        assert!(parsed.single_number::<u32>("DEPTH", 0..=9).is_err());
    }
}
