//! What an option is, and how a text becomes a checked value.

use super::error::OptionError;
use crate::settings::Settings;
use common::clip;

/// Letters of a refused value that an error message repeats.
pub(super) const SHOWN_LETTERS: usize = 60;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OptionKind {
    Check {
        default: bool,
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    Text {
        default: &'static str,
    },
    /// One word of a list.
    Choice {
        default: &'static str,
        values: &'static [&'static str],
        /// Old spellings that are still accepted, each with the value it means.
        aliases: &'static [(&'static str, &'static str)],
    },
    Button,
}

pub struct OptionSpec {
    pub name: &'static str,
    pub kind: OptionKind,
    pub about: &'static str,
    pub(super) apply: fn(&mut Settings, Value<'_>) -> Result<Effect, OptionError>,
}

/// A value that has passed the check against its option's kind.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Check(bool),
    Spin(i64),
    Text(&'a str),
    Button,
}

/// What the engine has to do so that changed settings hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// The next search reads them.
    None,
    /// The next search reads them, and so do those of other ranks.
    PeersToo,
    ResizeTable,
    ClearTable,
    ConfigureThreads,
    SetEvaluation,
    /// The search's parameters, set once when the next search begins, however many of them a tuner changes before.
    SetParameters,
    /// Another search policy needs other workers.
    RebuildPool,
    ForgetOpponent,
    /// Draw from a new random stream.
    Reseed,
    OpenBook,
    OpenTablebases,
    ConfigureTablebases,
    LoadReplyNetwork,
}

impl Effect {
    /// Does it change what engines in other processes search, if they search with this one?
    pub fn concerns_peers(self) -> bool {
        match self {
            Effect::None
            | Effect::ForgetOpponent
            | Effect::Reseed
            | Effect::OpenBook
            | Effect::LoadReplyNetwork => false,
            Effect::PeersToo
            | Effect::ResizeTable
            | Effect::ClearTable
            | Effect::ConfigureThreads
            | Effect::SetEvaluation
            | Effect::SetParameters
            | Effect::RebuildPool
            | Effect::OpenTablebases
            | Effect::ConfigureTablebases => true,
        }
    }
}

impl OptionSpec {
    /// Reads `text` and changes `settings`.
    pub(super) fn set(&self, settings: &mut Settings, text: &str) -> Result<Effect, OptionError> {
        (self.apply)(settings, self.check(text)?)
    }

    fn check<'a>(&self, text: &'a str) -> Result<Value<'a>, OptionError> {
        let wrong = |expected: String| OptionError::Value {
            name: self.name,
            found: clip(text, SHOWN_LETTERS),
            expected,
        };
        Ok(match self.kind {
            OptionKind::Button => Value::Button,
            OptionKind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" | "1" | "on" => Value::Check(true),
                "false" | "0" | "off" => Value::Check(false),
                _ => return Err(wrong("true or false".into())),
            },
            OptionKind::Spin { min, max, .. } => match text.parse() {
                Ok(number) if (min..=max).contains(&number) => Value::Spin(number),
                _ => return Err(wrong(format!("a number from {min} to {max}"))),
            },
            OptionKind::Choice { values, aliases, .. } => {
                let alias = aliases.iter().find(|(old, _)| old.eq_ignore_ascii_case(text));
                let text = alias.map_or(text, |(_, value)| value);
                match values.iter().find(|value| value.eq_ignore_ascii_case(text)) {
                    Some(value) => Value::Text(value),
                    None => return Err(wrong(values.join(" or "))),
                }
            }
            OptionKind::Text { .. } => Value::Text(if text == "<empty>" { "" } else { text }),
        })
    }
}
