//! What the sessions of all protocols share.

use std::sync::Arc;

/// Who the engine says it is.
#[derive(Clone, Debug)]
pub struct Identity {
    pub name: String,
    pub author: String,
}

/// What to do after a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    Continue,
    Quit,
    ToXboard,
    ToUci,
}

/// Tells the loop that a search has ended.
pub(crate) type Waker = Arc<dyn Fn() + Send + Sync>;
