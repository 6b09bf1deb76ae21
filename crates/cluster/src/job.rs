//! A rank with its thread of messages.

use crate::link::Link;
use crate::message::Message;
use crate::message_thread::MessageThread;
use crate::transport::Transport;
use kernel::Clock;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

/// This rank.
pub struct Job {
    /// Its number; 0 leads.
    pub number: usize,
    /// How many ranks there are.
    pub size: usize,
    /// For its engine.
    pub link: Arc<Link>,
    /// What the leader orders.
    pub orders: Receiver<Message>,
}

impl Job {
    /// Starts the thread of messages. It makes the transport itself, since one may belong to the thread that made it.
    pub fn start<T: Transport, E: std::fmt::Display + Send + 'static>(
        join: impl FnOnce() -> Result<T, E> + Send + 'static,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, String> {
        let (sender, orders) = channel();
        let (made, answer) = channel();
        let thread = std::thread::Builder::new().name("messages".into());
        let started = thread.spawn(move || {
            let transport = match join() {
                Ok(transport) => transport,
                Err(error) => return drop(made.send(Err(error.to_string()))),
            };
            let (number, size) = (transport.number(), transport.size());
            let link = Link::new(number);
            let message_thread = MessageThread::new(transport, Arc::clone(&link), clock, sender);
            if made.send(Ok((number, size, link))).is_ok() {
                message_thread.run();
            }
        });
        started.map_err(|error| error.to_string())?;
        let (number, size, link) = answer.recv().map_err(|error| error.to_string())??;
        Ok(Self { number, size, link, orders })
    }
}
