//! What an option is, and how a text becomes a checked value. The options themselves stand in one table; protocols print
//! and parse by walking it.

mod table;

use crate::Engine;
use std::fmt;
use table::TABLE;

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
    },
    Button,
}

pub struct OptionSpec {
    pub name: &'static str,
    pub kind: OptionKind,
    pub about: &'static str,
    apply: fn(&mut Engine, Value<'_>) -> Result<(), OptionError>,
}

/// A value that has passed the check against its option's kind.
#[derive(Clone, Copy)]
enum Value<'a> {
    Check(bool),
    Spin(i64),
    Text(&'a str),
    Button,
}

/// Why an option was not set. The engine goes on with what it had.
#[derive(Clone, PartialEq, Debug)]
pub enum OptionError {
    Unknown { name: String },
    Value { name: &'static str, found: String, expected: String },
    Failed { name: &'static str, reason: String },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown { name } => write!(f, "no option is called '{name}'"),
            OptionError::Value { name, found, expected } => {
                write!(f, "option {name}: '{found}', expected {expected}")
            }
            OptionError::Failed { name, reason } => write!(f, "option {name}: {reason}"),
        }
    }
}

impl std::error::Error for OptionError {}

pub struct OptionTable;

impl OptionTable {
    pub fn all() -> &'static [OptionSpec] {
        TABLE
    }
}

pub(crate) fn set(engine: &mut Engine, name: &str, value: Option<&str>) -> Result<(), OptionError> {
    let found = TABLE.iter().find(|spec| spec.name.eq_ignore_ascii_case(name));
    let Some(spec) = found else { return set_parameter(engine, name, value) };
    let value = spec.check(value.unwrap_or_default())?;
    (spec.apply)(engine, value)
}

/// The search's own numbers can be set by name too, though they are not listed among the options.
fn set_parameter(engine: &mut Engine, name: &str, value: Option<&str>) -> Result<(), OptionError> {
    let Some(spec) = search::Parameters::SPECS.iter().find(|spec| spec.name == name) else {
        return Err(OptionError::Unknown { name: name.chars().take(60).collect() });
    };
    let text = value.unwrap_or_default();
    let failed = |reason| OptionError::Failed { name: spec.name, reason };
    let number = text.parse().map_err(|_| failed(format!("'{}' is no number", clip(text))))?;
    engine.settings.parameters.set(name, number).map_err(|error| failed(error.to_string()))?;
    engine.is_pool_outdated = true;
    Ok(())
}

fn clip(text: &str) -> String {
    text.chars().take(60).collect()
}

impl OptionSpec {
    fn check<'a>(&self, text: &'a str) -> Result<Value<'a>, OptionError> {
        let wrong = |expected: String| OptionError::Value { name: self.name, found: clip(text), expected };
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
            OptionKind::Choice { values, .. } => {
                match values.iter().find(|value| value.eq_ignore_ascii_case(text)) {
                    Some(value) => Value::Text(value),
                    None => return Err(wrong(values.join(" or "))),
                }
            }
            OptionKind::Text { .. } => Value::Text(if text == "<empty>" { "" } else { text }),
        })
    }
}
