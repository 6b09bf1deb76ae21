//! What the engine's threads and the thread of messages share.

use crate::message::{Message, SearchOrder};
use chess::Move;
use engine::{PeerSearch, Peers};
use kernel::exchange::Rank;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A rank's side of the cluster, for its engine.
#[derive(Default)]
pub struct Link {
    state: Mutex<State>,
    changed: Condvar,
    number: usize,
}

/// How far a rank is from its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Phase {
    #[default]
    Running,
    /// The engine has ended; the others are told.
    Ending,
    /// The thread of messages has ended.
    Closed,
}

#[derive(Default)]
pub(crate) struct State {
    /// To be sent to all others.
    pub outgoing: Vec<Vec<u8>>,
    /// The search that is under way here, with its number.
    pub search: Option<(u32, Rank<Move>)>,
    /// The number of the latest search.
    pub latest: u32,
    pub phase: Phase,
}

impl Link {
    /// The link of rank `number`.
    pub fn new(number: usize) -> Arc<Self> {
        Arc::new(Self { number, ..Self::default() })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        let result = work(&mut self.lock());
        self.changed.notify_all();
        result
    }

    /// Sends to all other ranks, without waiting.
    pub(crate) fn tell(&self, message: &Message) {
        self.change(|state| state.outgoing.push(message.encode()));
    }

    /// The next search here is this one.
    pub(crate) fn expect(&self, number: u32) {
        self.change(|state| state.latest = number);
    }

    pub(crate) fn set_phase(&self, phase: Phase) {
        self.change(|state| state.phase = phase);
    }

    /// Waits until something is to be sent, but no longer than this.
    pub(crate) fn wait(&self, time: Duration) {
        let state = self.lock();
        if state.outgoing.is_empty() {
            drop(self.changed.wait_timeout(state, time));
        }
    }

    /// The engine has ended. Waits until the others know, or for a few seconds.
    pub fn close(&self) {
        self.change(|state| {
            state.search = None;
            state.phase = if state.phase == Phase::Running { Phase::Ending } else { state.phase };
        });
        let mut state = self.lock();
        while state.phase != Phase::Closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Begins search number `latest + 1` everywhere: the leader's side of [`Peers::begin`].
    pub(crate) fn lead(&self, search: &PeerSearch<'_>, rank: Rank<Move>) {
        self.change(|state| {
            state.latest = state.latest.wrapping_add(1);
            let (number, game, allowed) = (state.latest, search.game.clone(), search.allowed.to_vec());
            let order = SearchOrder { number, game, allowed, depth: search.depth };
            state.outgoing.push(Message::Search(order).encode());
            state.search = Some((number, rank));
        });
    }
}

/// A follower's searches. The leader's begin everywhere: [`crate::Leader`].
impl Peers for Link {
    fn number(&self) -> usize {
        self.number
    }

    fn begin(&self, _search: &PeerSearch<'_>, rank: Rank<Move>) {
        self.change(|state| state.search = Some((state.latest, rank)));
    }

    fn end(&self) {
        self.change(|state| state.search = None);
    }
}
