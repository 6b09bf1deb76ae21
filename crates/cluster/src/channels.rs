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

struct Letter {
    from: usize,
    message: Vec<u8>,
    late: u64,
}

#[derive(Default)]
struct Mailbox {
    letters: Mutex<VecDeque<Letter>>,
    is_dead: AtomicBool,
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Letter>> {
        self.letters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One rank's end of the channels.
pub struct Channels {
    number: usize,
    mailboxes: Arc<[Mailbox]>,
    faults: Faults,
    random: Random,
}

/// Kills a rank from outside: from now on it neither sends nor receives.
#[derive(Clone)]
pub struct Killer(Arc<[Mailbox]>);

impl Killer {
    /// The rank is dead.
    pub fn kill(&self, rank: usize) {
        self.0[rank].is_dead.store(true, Ordering::Release);
    }
}

/// So many ranks, and a way to kill them.
pub fn connect(ranks: usize, faults: Faults) -> (Vec<Channels>, Killer) {
    let mailboxes: Arc<[Mailbox]> = (0..ranks).map(|_| Mailbox::default()).collect();
    let end = |number| Channels {
        number,
        mailboxes: Arc::clone(&mailboxes),
        faults,
        random: Random::new(faults.seed + number as u64),
    };
    ((0..ranks).map(end).collect(), Killer(Arc::clone(&mailboxes)))
}

impl Channels {
    fn is_dead(&self) -> bool {
        self.mailboxes[self.number].is_dead.load(Ordering::Acquire)
    }
}

impl Transport for Channels {
    fn number(&self) -> usize {
        self.number
    }

    fn size(&self) -> usize {
        self.mailboxes.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), PeerLost> {
        let is_lost = self.random.next_u64() % 1000 < self.faults.lost_permille;
        if !is_lost && !self.is_dead() {
            let late = self.random.next_u64() % (self.faults.most_late + 1);
            self.mailboxes[to].lock().push_back(Letter { from: self.number, message, late });
        }
        Ok(())
    }

    fn pending(&mut self, to: usize) -> usize {
        self.mailboxes[to].lock().iter().filter(|letter| letter.from == self.number).count()
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        if self.is_dead() {
            return None;
        }
        let mut letters = self.mailboxes[self.number].lock();
        let first = letters.front_mut()?;
        if first.late > 0 {
            first.late -= 1;
            return None;
        }
        letters.pop_front().map(|letter| (letter.from, letter.message))
    }

    fn close(&mut self, _together: bool) {
        self.mailboxes[self.number].is_dead.store(true, Ordering::Release);
    }
}
