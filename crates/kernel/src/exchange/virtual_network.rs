//! A network in virtual time: messages take as long as latency and bandwidth say.

use super::batch::Batch;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How fast messages travel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkSettings {
    /// From the last byte sent to the message received.
    pub latency: Duration,
    /// Bytes a second that a rank can send; 0 for no limit.
    pub bandwidth: u64,
}

impl NetworkSettings {
    /// Gigabit Ethernet through one switch.
    pub const DEFAULT: Self = Self { latency: Duration::from_micros(100), bandwidth: 125_000_000 };
}

impl Default for NetworkSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

struct Link<M> {
    /// When everything sent before has left.
    free: Duration,
    /// What is on its way to this rank, by arrival and order of sending.
    inbox: BTreeMap<(Duration, u64), Arc<Batch<M>>>,
}

struct State<M> {
    links: Vec<Link<M>>,
    messages: u64,
    bytes: u64,
}

/// The network of one search.
pub struct VirtualNetwork<M> {
    settings: NetworkSettings,
    state: Mutex<State<M>>,
}

impl<M: Copy> VirtualNetwork<M> {
    /// Connects so many ranks.
    pub fn new(settings: NetworkSettings, ranks: usize) -> Self {
        let link = |_| Link { free: Duration::ZERO, inbox: BTreeMap::new() };
        let links = (0..ranks).map(link).collect();
        Self { settings, state: Mutex::new(State { links, messages: 0, bytes: 0 }) }
    }

    fn with<T>(&self, work: impl FnOnce(&mut State<M>) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn transfer(&self, bytes: usize) -> Duration {
        match self.settings.bandwidth {
            0 => Duration::ZERO,
            bandwidth => Duration::from_nanos(bytes as u64 * 1_000_000_000 / bandwidth),
        }
    }

    /// Sends to all other ranks, one after another.
    pub fn send(&self, from: usize, now: Duration, batch: Batch<M>) {
        let bytes = batch.wire_bytes();
        let (transfer, batch) = (self.transfer(bytes), Arc::new(batch));
        self.with(|state| {
            let mut sent = state.links[from].free.max(now);
            for to in (0..state.links.len()).filter(|&to| to != from) {
                sent += transfer;
                state.messages += 1;
                state.bytes += bytes as u64;
                let arrival = (sent + self.settings.latency, state.messages);
                state.links[to].inbox.insert(arrival, Arc::clone(&batch));
            }
            state.links[from].free = sent;
        });
    }

    /// The next message that has arrived.
    pub fn receive(&self, rank: usize, now: Duration) -> Option<Arc<Batch<M>>> {
        self.with(|state| {
            let first = state.links[rank].inbox.first_entry()?;
            (first.key().0 <= now).then(|| first.remove())
        })
    }

    /// Messages and bytes sent so far.
    pub fn traffic(&self) -> (u64, u64) {
        self.with(|state| (state.messages, state.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Entry;

    fn batch(entries: usize) -> Batch<u8> {
        Batch { iteration: None, entries: vec![(1, Entry::default()); entries] }
    }

    #[test]
    fn a_message_arrives_after_latency_and_transfer_and_waits_for_those_before() {
        let (latency, second) = (Duration::from_millis(1), Duration::from_secs(1));
        let empty = batch(0).wire_bytes() as u64;
        let network = VirtualNetwork::new(NetworkSettings { latency, bandwidth: empty }, 3);
        network.send(0, Duration::ZERO, batch(0));
        assert!(network.receive(0, 9 * second).is_none(), "not to itself");
        assert!(network.receive(1, second).is_none());
        assert!(network.receive(1, second + latency).is_some());
        assert!(network.receive(1, 9 * second).is_none(), "once");
        assert!(network.receive(2, second + latency).is_none(), "the second copy leaves later");
        assert!(network.receive(2, 2 * second + latency).is_some());
        network.send(0, second, batch(0));
        assert!(network.receive(1, 3 * second).is_none(), "the line is busy until 2 s");
        assert!(network.receive(1, 3 * second + latency).is_some());
        assert_eq!(network.traffic(), (4, 4 * empty));
    }
}
