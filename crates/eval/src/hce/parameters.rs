//! The weights an evaluator uses: the flat table filled from the named, fitted numbers.

use super::features::{self, COUNT, Feature};
use super::tapered::Tapered;
use super::weights::FITTED;

/// One value for every place of every feature.
#[derive(Clone, PartialEq, Eq)]
pub struct Weights([Tapered; COUNT]);

/// The weights of a feature, by name: middlegame and endgame.
pub type Named = (&'static str, &'static [(i16, i16)]);

impl Weights {
    pub const ZERO: Weights = Weights([Tapered::ZERO; COUNT]);

    /// The numbers of `weights.rs`. Features not named there are zero.
    pub const FITTED: Weights = Weights::from_named(FITTED);

    const fn from_named(named: &[Named]) -> Weights {
        let mut table = [Tapered::ZERO; COUNT];
        let mut i = 0;
        while i < features::ALL.len() {
            let feature = features::ALL[i];
            let mut j = 0;
            while j < named.len() {
                let (name, values) = named[j];
                if same(name, feature.name) {
                    let mut k = 0;
                    while k < values.len() && k < feature.len {
                        table[feature.offset + k] = Tapered::new(values[k].0 as i32, values[k].1 as i32);
                        k += 1;
                    }
                }
                j += 1;
            }
            i += 1;
        }
        Weights(table)
    }

    /// The whole table, in the order of [`features::ALL`].
    pub const fn from_table(table: [Tapered; COUNT]) -> Weights {
        Weights(table)
    }

    pub const fn table(&self) -> &[Tapered; COUNT] {
        &self.0
    }

    #[inline(always)]
    pub fn get(&self, feature: Feature, index: usize) -> Tapered {
        debug_assert!(index < feature.len, "{} has {} weights, asked for {index}", feature.name, feature.len);
        self.0[feature.offset + index]
    }
}

impl Default for Weights {
    fn default() -> Weights {
        Weights::FITTED
    }
}

/// String equality that the compiler can evaluate.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_is_named_once_and_has_its_length() {
        for feature in features::ALL {
            let rows: Vec<_> = FITTED.iter().filter(|(name, _)| *name == feature.name).collect();
            assert_eq!(rows.len(), 1, "{}", feature.name);
            assert_eq!(rows[0].1.len(), feature.len, "{}", feature.name);
        }
        assert_eq!(FITTED.len(), features::ALL.len());
    }

    #[test]
    fn places_do_not_overlap() {
        let mut next = 0;
        for feature in features::ALL {
            assert_eq!(feature.offset, next, "{}", feature.name);
            next += feature.len;
        }
        assert_eq!(next, COUNT);
    }
}
