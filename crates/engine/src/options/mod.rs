//! The options: one table of specs. A spec turns a text into changed [`Settings`] and an [`Effect`]; protocols print
//! and parse by walking the table.

pub(crate) mod error;
pub(crate) mod spec;
mod table;

use crate::settings::Settings;
use common::clip;
use error::OptionError;
use spec::{Effect, OptionSpec, SHOWN_LETTERS};
use table::TABLE;

pub struct OptionTable;

impl OptionTable {
    pub fn all() -> &'static [OptionSpec] {
        TABLE
    }
}

/// Changes `settings` as one option asks, its name in any case. On failure they may be half changed: hand over a copy.
pub(crate) fn set(settings: &mut Settings, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
    let found = TABLE.iter().find(|spec| spec.name.eq_ignore_ascii_case(name));
    match found {
        Some(spec) => spec.set(settings, value.unwrap_or_default()),
        None => set_parameter(settings, name, value),
    }
}

/// The search's parameters can be set by name too, though they are not listed among the options.
fn set_parameter(settings: &mut Settings, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
    let Some(spec) = search::Parameters::SPECS.iter().find(|spec| spec.name == name) else {
        return Err(OptionError::Unknown { name: clip(name, SHOWN_LETTERS) });
    };
    let text = value.unwrap_or_default();
    let number = text.parse().map_err(|_| {
        OptionError::failed(spec.name, format!("'{}', expected a number", clip(text, SHOWN_LETTERS)))
    })?;
    settings.parameters.set(name, number).map_err(|error| OptionError::failed(spec.name, error))?;
    Ok(Effect::SetParameters)
}
