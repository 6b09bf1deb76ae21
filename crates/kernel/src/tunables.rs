//! Numbers that can be tuned: each is written once, with its range, default and meaning.
//!
//! From one line come the field, the default, the range check, the entry for a protocol's list of
//! options and the line a tuner reads.

use std::fmt;

/// One tunable number, as data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TunableSpec {
    /// Field and option name.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// Smallest allowed value.
    pub min: i32,
    /// Largest allowed value.
    pub max: i32,
    /// Value unless set.
    pub default: i32,
}

impl TunableSpec {
    /// The line an `OpenBench` SPSA session reads: name, type, start, range, step, rate.
    pub fn spsa_line(&self) -> String {
        let step = (f64::from(self.max - self.min) / 20.0).max(0.5);
        format!("{}, int, {}, {}, {}, {step}, 0.002", self.name, self.default, self.min, self.max)
    }
}

/// A tunable could not be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TunableError {
    /// No number has this name.
    Unknown(String),
    /// The value lies outside the range.
    OutOfRange {
        /// Which number.
        spec: TunableSpec,
        /// What was asked for.
        value: i32,
    },
}

impl fmt::Display for TunableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "tunable {name}: no such number"),
            Self::OutOfRange { spec, value } => {
                write!(f, "tunable {}: {value}, expected {} to {}", spec.name, spec.min, spec.max)
            }
        }
    }
}

impl std::error::Error for TunableError {}

/// Declares a struct of tunable `i32`s.
///
/// ```
/// kernel::tunables! {
///     /// Margins.
///     pub struct Margins {
///         /// centipawns per ply
///         futility: 20..=200 = 80;
///     }
/// }
/// let mut margins = Margins::default();
/// assert_eq!(margins.futility, 80);
/// assert!(margins.set("futility", 500).is_err());
/// assert_eq!(Margins::SPECS[0].doc, "centipawns per ply");
/// ```
#[macro_export]
macro_rules! tunables {
    ($(#[$outer:meta])* $vis:vis struct $name:ident {
        $($(#[doc = $doc:literal])+ $field:ident : $min:literal ..= $max:literal = $default:literal;)+
    }) => {
        $(#[$outer])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        $vis struct $name { $($(#[doc = $doc])+ pub $field: i32,)+ }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl $name {
            /// Every number, as data.
            pub const SPECS: &'static [$crate::tunables::TunableSpec] = &[$(
                $crate::tunables::TunableSpec {
                    name: stringify!($field),
                    doc: concat!($($doc),+).trim_ascii(),
                    min: $min,
                    max: $max,
                    default: $default,
                },
            )+];

            /// The present value of the number with this name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($field) => Some(self.$field),)+
                    _ => None,
                }
            }

            /// Sets the number with this name, if the value lies in its range.
            pub fn set(&mut self, name: &str, value: i32) -> Result<(), $crate::tunables::TunableError> {
                let spec = Self::SPECS
                    .iter()
                    .find(|spec| spec.name == name)
                    .ok_or_else(|| $crate::tunables::TunableError::Unknown(name.to_string()))?;
                if !(spec.min..=spec.max).contains(&value) {
                    return Err($crate::tunables::TunableError::OutOfRange { spec: *spec, value });
                }
                match name {
                    $(stringify!($field) => self.$field = value,)+
                    _ => {}
                }
                Ok(())
            }
        }

        const _: () = {
            $(assert!($min <= $default && $default <= $max, concat!(stringify!($field), ": default outside its range"));)+
        };
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::tunables! {
        struct Numbers {
            /// plies
            depth: 1..=9 = 4;
            /// may be negative
            margin: -50..=50 = -7;
        }
    }

    #[test]
    fn values_are_set_by_name_inside_their_range_only() {
        let mut numbers = Numbers::default();
        assert_eq!((numbers.depth, numbers.margin), (4, -7));
        assert_eq!(numbers.set("margin", 50), Ok(()));
        assert_eq!(numbers.get("margin"), Some(50));
        let error = numbers.set("depth", 10).unwrap_err();
        assert_eq!(error.to_string(), "tunable depth: 10, expected 1 to 9");
        assert_eq!(numbers.set("width", 1), Err(TunableError::Unknown("width".into())));
        assert_eq!(numbers.depth, 4);
    }

    #[test]
    fn specs_read_as_tuner_lines() {
        assert_eq!(Numbers::SPECS[1].spsa_line(), "margin, int, -7, -50, 50, 5, 0.002");
        assert_eq!(Numbers::SPECS.len(), 2);
    }
}
