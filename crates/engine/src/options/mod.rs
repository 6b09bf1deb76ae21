//! The options: one table of specs. A spec turns a text into changed [`Settings`] and an [`Effect`]; protocols print
//! and parse by walking the table.

pub(crate) mod error;
pub(crate) mod spec;
mod table;

use crate::settings::Settings;
use common::clip;
use error::OptionError;
use kernel::time::TimeNumbers;
use kernel::tunables::TunableSpec;
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

/// The numbers of the search and of its clock can be set by name too, though they are not listed among the options.
fn set_parameter(settings: &mut Settings, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
    let find = |specs: &'static [TunableSpec]| specs.iter().find(|spec| spec.name == name);
    let of_clock = find(TimeNumbers::SPECS);
    let Some(spec) = of_clock.or_else(|| find(search::Parameters::SPECS)) else {
        return Err(OptionError::Unknown { name: clip(name, SHOWN_LETTERS) });
    };
    let text = value.unwrap_or_default();
    let number = text.parse().map_err(|_| {
        OptionError::failed(spec.name, format!("'{}', expected a number", clip(text, SHOWN_LETTERS)))
    })?;
    let set = match of_clock {
        Some(_) => settings.time_numbers.set(name, number),
        None => settings.parameters.set(name, number),
    };
    set.map_err(|error| OptionError::failed(spec.name, error))?;
    Ok(Effect::SetParameters)
}
