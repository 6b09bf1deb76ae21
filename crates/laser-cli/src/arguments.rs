//! Reading a command's arguments: words, `--flag value` pairs and bare `--switches`.

use std::str::FromStr;

use crate::environment::Failure;

/// A command's arguments, sorted out.
pub(crate) struct Arguments<'a> {
    command: &'static str,
    pub(crate) words: Vec<&'a str>,
    values: Vec<(&'a str, &'a str)>,
    switches: Vec<&'a str>,
}

impl<'a> Arguments<'a> {
    /// Sorts the arguments out; `valued` are the flags that take a value, `bare` those that do not.
    pub(crate) fn read(
        command: &'static str,
        arguments: &'a [String],
        valued: &[&str],
        bare: &[&str],
    ) -> Result<Arguments<'a>, Failure> {
        let mut sorted = Arguments { command, words: Vec::new(), values: Vec::new(), switches: Vec::new() };
        let mut rest = arguments.iter().map(String::as_str);
        while let Some(word) = rest.next() {
            match word.strip_prefix("--") {
                None => sorted.words.push(word),
                Some(flag) if bare.contains(&flag) => sorted.switches.push(flag),
                Some(flag) if valued.contains(&flag) => {
                    let value =
                        rest.next().ok_or(Failure::Usage(format!("{command}: --{flag} needs a value")))?;
                    sorted.values.push((flag, value));
                }
                Some(flag) => return Err(Failure::Usage(format!("{command}: unknown flag --{flag}"))),
            }
        }
        Ok(sorted)
    }

    pub(crate) fn has(&self, switch: &str) -> bool {
        self.switches.contains(&switch)
    }

    pub(crate) fn text(&self, flag: &str) -> Option<&'a str> {
        self.values.iter().rev().find(|(name, _)| *name == flag).map(|(_, value)| *value)
    }

    pub(crate) fn number<N: FromStr>(&self, flag: &str) -> Result<Option<N>, Failure> {
        self.text(flag)
            .map(|text| {
                text.parse().map_err(|_| {
                    Failure::Usage(format!("{}: --{flag} {text}: expected a number", self.command))
                })
            })
            .transpose()
    }

    /// The position a `--fen` names, or the start.
    pub(crate) fn position(&self) -> Result<laser::Position, Failure> {
        let Some(fen) = self.text("fen") else { return Ok(laser::Position::start()) };
        fen.parse().map_err(|error| Failure::Failed(format!("--fen: {error}")))
    }
}
