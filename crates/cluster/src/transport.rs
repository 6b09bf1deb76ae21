//! How messages travel.

use std::fmt;

/// The other rank can no longer be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PeerLost;

impl fmt::Display for PeerLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the rank cannot be reached")
    }
}

impl std::error::Error for PeerLost {}

/// One rank's connection to the others. All calls come from one thread, and none of them waits.
pub trait Transport {
    /// This rank.
    fn number(&self) -> usize;

    /// All ranks.
    fn size(&self) -> usize;

    /// Sends a message. What one rank sends to another arrives in order, or not at all.
    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), PeerLost>;

    /// Messages to a rank that have not left yet.
    fn pending(&mut self, to: usize) -> usize;

    /// The next message, and who sent it.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;

    /// Ends the connection. `together` is true when every rank is known to do the same now.
    fn close(&mut self, together: bool);
}
