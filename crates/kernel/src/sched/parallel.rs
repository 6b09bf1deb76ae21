//! The ways of searching together, by name.

use std::fmt;
use std::str::FromStr;

/// The ways of searching together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parallel {
    /// Lazy SMP: each worker searches the root on its own; they meet in the table.
    #[default]
    Lazy,
    /// Young Brothers Wait: workers join each other's nodes once the first move is searched.
    Ybwc,
    /// Lazy SMP that puts off moves being searched elsewhere.
    Abdada,
    /// Several teams of Young Brothers Wait, each of which searches the root as one worker of Lazy SMP does.
    Teams,
}

impl Parallel {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Lazy, Self::Ybwc, Self::Abdada, Self::Teams];

    /// The name used in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lazy => "lazy",
            Self::Ybwc => "ybwc",
            Self::Abdada => "abdada",
            Self::Teams => "teams",
        }
    }
}

impl fmt::Display for Parallel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No way of searching together has this name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownParallel;

impl FromStr for Parallel {
    type Err = UnknownParallel;

    fn from_str(text: &str) -> Result<Self, UnknownParallel> {
        Self::ALL.into_iter().find(|way| way.name().eq_ignore_ascii_case(text)).ok_or(UnknownParallel)
    }
}
