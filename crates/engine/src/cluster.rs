//! Engines in other processes that search with this one.

use search::Peers;

/// The engines that follow this one. They are told what changes a search; where a search begins and ends they hear as its
/// [`Peers`].
pub trait Cluster: Peers {
    /// An option that changes searches was set here.
    fn set_option(&self, name: &str, value: Option<&str>);

    /// A new game began here.
    fn new_game(&self);
}
