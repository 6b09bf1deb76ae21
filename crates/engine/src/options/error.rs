//! Why an option was not set.

use std::fmt;

/// Why an option was not set. The engine goes on with what it had.
#[derive(Clone, PartialEq, Debug)]
pub enum OptionError {
    Unknown { name: String },
    Value { name: &'static str, found: String, expected: String },
    Failed { name: &'static str, reason: String },
}

impl OptionError {
    #[allow(clippy::needless_pass_by_value, reason = "callers pass temporary texts and errors")]
    pub(crate) fn failed(name: &'static str, reason: impl ToString) -> OptionError {
        OptionError::Failed { name, reason: reason.to_string() }
    }
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
