//! Which terms count: for comparisons in the laboratory.

use super::features::Term;
use std::fmt;
use std::str::FromStr;

/// A set of terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EvalTerms(u16);

impl EvalTerms {
    pub const NONE: EvalTerms = EvalTerms(0);
    pub const ALL: EvalTerms = EvalTerms((1 << Term::ALL.len()) - 1);
    /// The simplest evaluation that plays chess.
    pub const MATERIAL: EvalTerms = EvalTerms::NONE.with(Term::Material);
    /// What AlphaDeepChess compares material with: king safety and mobility beside it.
    pub const MATERIAL_SAFETY_MOBILITY: EvalTerms =
        EvalTerms::MATERIAL.with(Term::Mobility).with(Term::Shelter).with(Term::KingDanger);

    pub const fn with(self, term: Term) -> EvalTerms {
        EvalTerms(self.0 | 1 << term as u16)
    }

    pub const fn without(self, term: Term) -> EvalTerms {
        EvalTerms(self.0 & !(1 << term as u16))
    }

    pub const fn has(self, term: Term) -> bool {
        self.0 >> term as u16 & 1 != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Term> {
        Term::ALL.into_iter().filter(move |&term| self.has(term))
    }
}

impl Default for EvalTerms {
    fn default() -> EvalTerms {
        EvalTerms::ALL
    }
}

/// The words of [`FromStr`]: `material+mobility`, or `all`, or `none`.
impl fmt::Display for EvalTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == EvalTerms::ALL {
            return f.write_str("all");
        }
        if *self == EvalTerms::NONE {
            return f.write_str("none");
        }
        for (i, term) in self.iter().enumerate() {
            if i > 0 {
                f.write_str("+")?;
            }
            f.write_str(&word(term))?;
        }
        Ok(())
    }
}

impl fmt::Debug for EvalTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A word that names no term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTerm {
    pub found: String,
}

impl fmt::Display for UnknownTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no evaluation term is called '{}', expected all, none or some of ", self.found)?;
        for (i, term) in Term::ALL.into_iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            f.write_str(&word(term))?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownTerm {}

impl FromStr for EvalTerms {
    type Err = UnknownTerm;

    fn from_str(text: &str) -> Result<EvalTerms, UnknownTerm> {
        let mut terms = EvalTerms::NONE;
        for part in text.split('+').map(str::trim) {
            match part {
                "all" => terms = EvalTerms::ALL,
                "none" => {}
                _ => {
                    let found = Term::ALL.into_iter().find(|&term| word(term) == part);
                    let unknown = || UnknownTerm { found: part.chars().take(40).collect() };
                    terms = terms.with(found.ok_or_else(unknown)?);
                }
            }
        }
        Ok(terms)
    }
}

fn word(term: Term) -> String {
    term.name().to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip() {
        for term in Term::ALL {
            for terms in [EvalTerms::NONE.with(term), EvalTerms::ALL.without(term)] {
                assert_eq!(terms.to_string().parse(), Ok(terms));
            }
        }
        assert_eq!("all".parse(), Ok(EvalTerms::ALL));
        assert_eq!("none".parse(), Ok(EvalTerms::NONE));
    }

    #[test]
    fn unknown_words_are_named() {
        let error = "material+charm".parse::<EvalTerms>().unwrap_err();
        assert_eq!(error.found, "charm");
        assert!(error.to_string().contains("king-danger"));
    }
}
