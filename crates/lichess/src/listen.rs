//! Listening to a stream for as long as anybody wants to hear it, across every way it can break.

use crate::backoff::Backoff;
use crate::client::{Client, HangUp, Trouble};
use crate::notes::Note;
use crate::stream::Line;
use crate::wire::Unclear;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A stream that lived so long was well: the next wait is short again.
const HEALTHY: Duration = Duration::from_secs(10);

/// What a listener passes on.
pub enum Heard<E> {
    Event(E),
    /// The stream broke and will be opened again.
    Lost,
    /// It will not be opened again, because the site says no.
    Refused(Trouble),
}

/// The wire a listener is listening to, for whoever wants it cut.
#[derive(Clone, Default)]
pub struct Receiver(Arc<Mutex<Option<HangUp>>>);

impl Receiver {
    /// Ends the stream; the listener opens it again, and the site tells everything anew.
    pub fn hang_up(&self) {
        let wire = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(wire) = wire {
            wire.now();
        }
    }

    fn hold(&self, wire: Option<HangUp>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = wire;
    }
}

pub struct Listener<'a> {
    pub client: &'a Client,
    pub path: &'a str,
    /// As notes call it.
    pub what: String,
    pub receiver: &'a Receiver,
}

impl Listener<'_> {
    /// Until `pass_on` answers that nobody listens any more, `is_last` says that nothing can follow, the site refuses, or
    /// the operator leaves.
    pub fn run<E>(
        &self,
        parse: impl Fn(&str) -> Result<E, Unclear>,
        is_last: impl Fn(&E) -> bool,
        mut pass_on: impl FnMut(Heard<E>) -> bool,
    ) {
        let mut backoff = Backoff::new();
        while !self.client.orders().leaving() {
            let opened = Instant::now();
            let why = match self.client.open(self.path) {
                Ok(wire) => {
                    self.receiver.hold(Some(wire.hang_up));
                    // Leaving may have come between opening and holding.
                    if self.client.orders().leaving() {
                        return;
                    }
                    let end = self.hear(wire.lines, &parse, &is_last, &mut pass_on);
                    self.receiver.hold(None);
                    match end {
                        Ok(why) => why,
                        Err(Deaf) => return,
                    }
                }
                Err(Trouble::Away(why)) => why,
                Err(Trouble::Leaving) => return,
                Err(refused) => {
                    pass_on(Heard::Refused(refused));
                    return;
                }
            };
            if opened.elapsed() >= self.client.orders().pace.of(HEALTHY) {
                backoff.reset();
            }
            if self.client.orders().leaving() || !pass_on(Heard::Lost) {
                return;
            }
            let wait = backoff.next();
            self.client.tell(Note::Lost { what: self.what.clone(), why, wait });
            self.client.orders().rest(wait);
        }
    }

    /// Why the stream ended, or that nobody is left to hear it.
    fn hear<E>(
        &self,
        mut lines: crate::stream::Lines<ureq::BodyReader<'static>>,
        parse: &impl Fn(&str) -> Result<E, Unclear>,
        is_last: &impl Fn(&E) -> bool,
        pass_on: &mut impl FnMut(Heard<E>) -> bool,
    ) -> Result<String, Deaf> {
        loop {
            let event = match lines.next_line() {
                Ok(None) => return Ok("the stream ended".to_string()),
                Err(error) => return Ok(crate::wire::clip(&error.to_string(), 200)),
                Ok(Some(Line::Beat)) => continue,
                Ok(Some(Line::Garbled(bytes))) => {
                    self.garbled(format!("{bytes} bytes"));
                    continue;
                }
                Ok(Some(Line::Text(text))) => match parse(&text) {
                    Ok(event) => event,
                    Err(unclear) => {
                        self.garbled(unclear.to_string());
                        continue;
                    }
                },
            };
            let last = is_last(&event);
            if !pass_on(Heard::Event(event)) || last {
                return Err(Deaf);
            }
        }
    }

    fn garbled(&self, why: String) {
        self.client.tell(Note::Garbled { what: self.what.clone(), why });
    }
}

struct Deaf;
