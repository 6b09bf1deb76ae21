//! A rank of a virtual cluster: its workers themselves send and receive, between their turns.

use super::rank::Rank;
use super::virtual_network::VirtualNetwork;
use std::sync::Arc;
use std::time::Duration;

/// Something a worker does between its turns in virtual time.
pub trait Exchange: Send + Sync {
    /// Takes in what has arrived and sends what is due.
    fn exchange(&self, now: Duration);
}

/// One rank at its network.
pub struct VirtualRank<M> {
    /// The rank.
    pub rank: Rank<M>,
    /// Its number.
    pub number: usize,
    /// What connects it with the others.
    pub network: Arc<VirtualNetwork<M>>,
}

impl<M: Copy + PartialEq + Send + Sync> Exchange for VirtualRank<M> {
    fn exchange(&self, now: Duration) {
        while let Some(batch) = self.network.receive(self.number, now) {
            self.rank.accept(&batch);
        }
        if let Some(batch) = self.rank.due(now) {
            self.network.send(self.number, now, batch);
        }
    }
}
