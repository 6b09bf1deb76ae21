//! Ranks in one process, for tests: messages that are late or lost, and ranks that die.

use crate::transport::{PeerLost, Transport};
use common::Random;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What goes wrong on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Faults {
    /// Most looks for messages that one may be late.
    pub most_late: u64,
    /// Of a thousand messages, so many are lost.
    pub lost_permille: u64,
    /// Decides which.
    pub seed: u64,
}

struct Queued {
    from: usize,
    message: Vec<u8>,
    late: u64,
}

#[derive(Default)]
struct Inbox {
    queue: Mutex<VecDeque<Queued>>,
    is_dead: AtomicBool,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Queued>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One rank's end of the channels.
pub struct Channels {
    number: usize,
    inboxes: Arc<[Inbox]>,
    faults: Faults,
    random: Random,
}

/// Kills a rank from outside: from now on it neither sends nor receives.
#[derive(Clone)]
pub struct Killer(Arc<[Inbox]>);

impl Killer {
    /// The rank is dead.
    pub fn kill(&self, rank: usize) {
        self.0[rank].is_dead.store(true, Ordering::Release);
    }
}

/// So many ranks, and a way to kill them.
pub fn connect(ranks: usize, faults: Faults) -> (Vec<Channels>, Killer) {
    let inboxes: Arc<[Inbox]> = (0..ranks).map(|_| Inbox::default()).collect();
    let end = |number| Channels {
        number,
        inboxes: Arc::clone(&inboxes),
        faults,
        random: Random::new(faults.seed + number as u64),
    };
    ((0..ranks).map(end).collect(), Killer(Arc::clone(&inboxes)))
}

impl Channels {
    fn is_dead(&self) -> bool {
        self.inboxes[self.number].is_dead.load(Ordering::Acquire)
    }
}

impl Transport for Channels {
    fn number(&self) -> usize {
        self.number
    }

    fn size(&self) -> usize {
        self.inboxes.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), PeerLost> {
        let is_lost = self.random.next_u64() % 1000 < self.faults.lost_permille;
        if !is_lost && !self.is_dead() {
            let late = self.random.next_u64() % (self.faults.most_late + 1);
            self.inboxes[to].lock().push_back(Queued { from: self.number, message, late });
        }
        Ok(())
    }

    fn pending(&mut self, to: usize) -> usize {
        self.inboxes[to].lock().iter().filter(|queued| queued.from == self.number).count()
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        if self.is_dead() {
            return None;
        }
        let mut queue = self.inboxes[self.number].lock();
        let first = queue.front_mut()?;
        if first.late > 0 {
            first.late -= 1;
            return None;
        }
        queue.pop_front().map(|queued| (queued.from, queued.message))
    }

    fn close(&mut self, _together: bool) {
        self.inboxes[self.number].is_dead.store(true, Ordering::Release);
    }
}
