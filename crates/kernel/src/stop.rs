//! Why a search was abandoned. It travels as the `Err` of a `Result`, so no caller can mistake an
//! abandoned search for a score.

/// The reason a search gave up before it had an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Time, nodes or the user: the whole search ends.
    Clock,
    /// Another worker made this work pointless: only the node that owns the shared move loop, or
    /// the driver whose iteration was finished elsewhere, may swallow this.
    Sibling,
}
