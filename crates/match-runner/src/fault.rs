//! What can go wrong with a player, in words a report can print.

use std::fmt;
use std::time::Duration;

/// A player that cannot give a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The process could not be started or did not introduce itself.
    Start { detail: String },
    /// The engine lacks an option it was asked to set, or the like: a mistake in the experiment, not in the game.
    Setup { detail: String },
    /// The process ended or closed its output.
    Disconnected { detail: String },
    /// No answer long after the time was up; the process was killed.
    Stalled { after: Duration },
    /// The answer was no move.
    Garbage { found: String },
    /// The run is being stopped; nobody's fault.
    Interrupted,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start { detail } => write!(f, "could not be started: {detail}"),
            Self::Setup { detail } => write!(f, "could not be set up: {detail}"),
            Self::Disconnected { detail } => write!(f, "disconnected: {detail}"),
            Self::Stalled { after } => {
                write!(f, "stalled: no answer for {:.1} s, killed", after.as_secs_f64())
            }
            Self::Garbage { found } => write!(f, "answered '{found}', expected a move"),
            Self::Interrupted => write!(f, "interrupted"),
        }
    }
}

impl std::error::Error for Fault {}
