//! The thread of messages: everything a rank sends and receives passes here, so that no search waits for it.

use crate::link::{Link, Phase};
use crate::message::Message;
use crate::transport::Transport;
use kernel::Clock;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

/// Between two looks for messages during a search: what it adds to a message's way.
const SEARCH_INTERVAL: Duration = Duration::from_micros(200);
/// The same without a search.
const IDLE_INTERVAL: Duration = Duration::from_millis(1);
/// Batches for a rank that has not taken so many are dropped.
const MOST_PENDING: usize = 16;
/// A rank that has not taken so many messages is lost.
const LOST_PENDING: usize = 1000;
/// How often the leader says that it is there.
const ALIVE_INTERVAL: Duration = Duration::from_secs(1);
/// A follower ends when it has heard nothing from the leader for so long.
const SILENCE: Duration = Duration::from_secs(20);
/// How long a rank that ends waits for the others.
const FAREWELL: Duration = Duration::from_secs(2);

/// Sends and receives for one rank. However it ends, nobody waits for it after.
pub struct MessageThread<T> {
    transport: T,
    link: Arc<Link>,
    clock: Arc<dyn Clock>,
    /// Orders for the follower here.
    orders: Sender<Message>,
    is_lost: Vec<bool>,
    has_ended: Vec<bool>,
    heard: Duration,
    told: Duration,
    /// When the end began here.
    ending_since: Option<Duration>,
    is_told_to_close: bool,
}

impl<T: Transport> MessageThread<T> {
    /// The thread of messages of the transport's rank. What the leader orders goes to `orders`.
    pub fn new(transport: T, link: Arc<Link>, clock: Arc<dyn Clock>, orders: Sender<Message>) -> Self {
        let (size, now) = (transport.size(), clock.now());
        Self {
            transport,
            link,
            clock,
            orders,
            is_lost: vec![false; size],
            has_ended: vec![false; size],
            heard: now,
            told: now,
            ending_since: None,
            is_told_to_close: false,
        }
    }

    /// Works until the rank has ended.
    pub fn run(mut self) {
        while !self.round() {
            let is_searching = self.link.lock().search.is_some();
            self.link.wait(if is_searching { SEARCH_INTERVAL } else { IDLE_INTERVAL });
        }
    }

    /// Receives and sends once; true when this was the last time.
    pub fn round(&mut self) -> bool {
        while let Some((from, bytes)) = self.transport.receive() {
            // Bytes that are no message are from another version: not a reason to end a search here.
            if let Ok(message) = Message::decode(&bytes) {
                self.take(from, message);
            }
        }
        let outgoing = std::mem::take(&mut self.link.lock().outgoing);
        for message in outgoing {
            self.send_to_all(&message, LOST_PENDING);
        }
        self.send_found();
        self.keep_in_touch();
        self.end()
    }

    fn take(&mut self, from: usize, message: Message) {
        if from == 0 {
            self.heard = self.clock.now();
        }
        match message {
            Message::Found { number, batch } => {
                if let Some((current, rank)) = &self.link.lock().search
                    && *current == number
                {
                    rank.accept(&batch);
                }
            }
            Message::Alive => {}
            Message::Ended => {
                if let Some(ended) = self.has_ended.get_mut(from) {
                    *ended = true;
                }
            }
            Message::Close => self.is_told_to_close = true,
            // The follower's loop ends before this thread does only when it has no more use for orders.
            order => drop(self.orders.send(order)),
        }
    }

    fn send_found(&mut self) {
        let now = self.clock.now();
        let due = self.link.lock().search.as_ref().and_then(|(number, rank)| Some((*number, rank.due(now)?)));
        if let Some((number, batch)) = due {
            self.send_to_all(&Message::Found { number, batch: Box::new(batch) }.encode(), MOST_PENDING);
        }
    }

    /// Sends to all others that have taken all but so many messages.
    fn send_to_all(&mut self, message: &[u8], most_pending: usize) {
        let own = self.transport.number();
        for to in 0..self.transport.size() {
            if to == own || self.is_lost[to] {
                continue;
            }
            let pending = self.transport.pending(to);
            if pending >= LOST_PENDING {
                self.is_lost[to] = true;
            } else if pending < most_pending {
                self.is_lost[to] = self.transport.send(to, message.to_vec()).is_err();
            }
        }
    }

    fn keep_in_touch(&mut self) {
        let now = self.clock.now();
        if self.transport.number() == 0 {
            if now.saturating_sub(self.told) >= ALIVE_INTERVAL {
                self.told = now;
                self.send_to_all(&Message::Alive.encode(), MOST_PENDING);
            }
        } else if now.saturating_sub(self.heard) >= SILENCE {
            self.heard = now;
            drop(self.orders.send(Message::Quit));
        }
    }

    /// The end of a rank: all say that they have ended, the leader says when everybody has, and all close together. With a rank
    /// that is lost or slow, each closes alone.
    fn end(&mut self) -> bool {
        if self.link.lock().phase != Phase::Ending {
            return false;
        }
        let (now, is_leader) = (self.clock.now(), self.transport.number() == 0);
        let since = *self.ending_since.get_or_insert_with(|| {
            let message = if is_leader { Message::Quit } else { Message::Ended };
            self.link.lock().outgoing.push(message.encode());
            now
        });
        let followers = 1..self.transport.size();
        let everybody = followers.clone().all(|rank| self.has_ended[rank]);
        let everybody_left = followers.clone().all(|rank| self.has_ended[rank] || self.is_lost[rank]);
        let together = if is_leader { everybody } else { self.is_told_to_close };
        let is_done = together || is_leader && everybody_left;
        if !is_done && now.saturating_sub(since) < FAREWELL {
            return false;
        }
        if is_leader && everybody {
            self.send_to_all(&Message::Close.encode(), LOST_PENDING);
        }
        self.transport.close(together);
        true
    }
}

impl<T> Drop for MessageThread<T> {
    fn drop(&mut self) {
        self.link.set_phase(Phase::Closed);
    }
}
