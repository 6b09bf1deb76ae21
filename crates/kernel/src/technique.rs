//! Techniques that can be switched off, and the policy that asks.
//!
//! A search is generic over a [`Policy`]. [`Release`] answers a constant `true`, so a release
//! build pays nothing; [`Lab`] holds a run-time mask, so experiments can measure what each
//! technique is worth. Each technique is guarded in exactly one place.

use std::fmt;
use std::marker::PhantomData;

/// A game's list of techniques, declared with [`techniques!`](crate::techniques).
pub trait Technique: Copy + Eq + fmt::Debug + 'static {
    /// Every technique.
    const ALL: &'static [Self];

    /// Position in [`Technique::ALL`], below 64.
    fn index(self) -> u32;

    /// The name used on command lines and in reports.
    fn name(self) -> &'static str;

    /// Other spellings that are accepted, each with the name it stands for.
    const ALIASES: &'static [(&'static str, &'static str)] = &[];

    /// The technique with this name or alias.
    fn from_name(name: &str) -> Option<Self> {
        let alias = Self::ALIASES.iter().find(|(alias, _)| *alias == name);
        let name = alias.map_or(name, |(_, name)| name);
        Self::ALL.iter().copied().find(|technique| technique.name() == name)
    }
}

/// A set of techniques.
pub struct TechniqueSet<T>(u64, PhantomData<T>);

impl<T> Clone for TechniqueSet<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for TechniqueSet<T> {}

impl<T> PartialEq for TechniqueSet<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for TechniqueSet<T> {}

impl<T: Technique> TechniqueSet<T> {
    /// Nothing switched on.
    pub const EMPTY: Self = Self(0, PhantomData);

    /// Everything switched on.
    pub fn all() -> Self {
        Self::of(T::ALL)
    }

    /// Exactly these.
    pub fn of(techniques: &[T]) -> Self {
        techniques.iter().fold(Self::EMPTY, |set, &technique| set.with(technique))
    }

    /// The same set with one more.
    pub fn with(self, technique: T) -> Self {
        Self(self.0 | 1 << technique.index(), PhantomData)
    }

    /// The same set with one fewer.
    pub fn without(self, technique: T) -> Self {
        Self(self.0 & !(1 << technique.index()), PhantomData)
    }

    /// Is it in the set?
    #[inline]
    pub fn contains(self, technique: T) -> bool {
        self.0 >> technique.index() & 1 != 0
    }

    /// The techniques in the set, in order.
    pub fn iter(self) -> impl Iterator<Item = T> {
        T::ALL.iter().copied().filter(move |&technique| self.contains(technique))
    }
}

impl<T: Technique> fmt::Debug for TechniqueSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Technique::name)).finish()
    }
}

/// Answers whether a technique is in use.
pub trait Policy<T>: Copy + Send + Sync + 'static {
    /// Does this policy pay for detailed counters?
    const COUNTS: bool;

    /// Is the technique in use?
    fn uses(&self, technique: T) -> bool;
}

/// Everything on, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Release;

impl<T> Policy<T> for Release {
    const COUNTS: bool = false;

    #[inline(always)]
    fn uses(&self, _technique: T) -> bool {
        true
    }
}

/// A run-time choice of techniques.
#[derive(Clone, Copy, Debug)]
pub struct Lab<T: Technique>(pub TechniqueSet<T>);

impl<T: Technique + Send + Sync> Policy<T> for Lab<T> {
    const COUNTS: bool = true;

    #[inline(always)]
    fn uses(&self, technique: T) -> bool {
        self.0.contains(technique)
    }
}

/// Declares a game's techniques: an enum whose variants carry a name and a documented source.
///
/// ```
/// kernel::techniques! {
///     /// What this search can do.
///     pub enum Trick {
///         /// Pass and see (Beal 1989).
///         NullMove = "null-move",
///         /// Look at late moves less deeply.
///         Reductions = "reductions" | "late-moves",
///     }
/// }
/// use kernel::{Technique, TechniqueSet};
/// assert_eq!(Trick::from_name("reductions"), Some(Trick::Reductions));
/// assert_eq!(Trick::from_name("late-moves"), Some(Trick::Reductions));
/// assert!(!TechniqueSet::all().without(Trick::NullMove).contains(Trick::NullMove));
/// ```
#[macro_export]
macro_rules! techniques {
    ($(#[$outer:meta])* $vis:vis enum $name:ident { $($(#[$inner:meta])* $variant:ident = $text:literal $(| $alias:literal)?),+ $(,)? }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis enum $name { $($(#[$inner])* $variant),+ }

        impl $crate::technique::Technique for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            const ALIASES: &'static [(&'static str, &'static str)] = &[$($(($alias, $text),)?)+];

            #[inline(always)]
            fn index(self) -> u32 {
                self as u32
            }

            fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        const _: () = assert!(<$name as $crate::technique::Technique>::ALL.len() <= 64);
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::techniques! {
        enum Trick { First = "first", Second = "second", Third = "third" }
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let set = TechniqueSet::of(&[Trick::First, Trick::Third]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [Trick::First, Trick::Third]);
        assert_eq!(set.with(Trick::Second), TechniqueSet::all());
        assert_eq!(set.without(Trick::First).without(Trick::Third), TechniqueSet::EMPTY);
        assert_eq!(format!("{set:?}"), r#"{"first", "third"}"#);
    }

    #[test]
    fn policies_answer() {
        let lab = Lab(TechniqueSet::all().without(Trick::Second));
        assert!(Release.uses(Trick::Second));
        assert!(lab.uses(Trick::First) && !lab.uses(Trick::Second));
        assert_eq!(Trick::from_name("none"), None);
    }
}
