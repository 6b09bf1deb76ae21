//! Reading a stream for as long as somebody needs it, across every way it can break.

use crate::backoff::Backoff;
use crate::client::{Client, HangUp, OpenStream, RequestError};
use crate::events::EventError;
use crate::log::LogEvent;
use crate::stream::Line;
use common::clip;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A stream that was open so long was healthy: the next wait is short again.
const HEALTHY: Duration = Duration::from_secs(10);
/// Malformed lines that are remembered.
const REMEMBERED: usize = 16;
/// Characters of a malformed line that tell it from others.
const COMPARED: usize = 400;

/// What a listener passes on.
pub enum StreamEvent<E> {
    Event(E),
    /// The stream broke and will be opened again.
    Lost,
    /// It will not be opened again, because the site refuses.
    Refused(RequestError),
}

/// The stream that a listener reads, for whoever wants it closed.
#[derive(Clone, Default)]
pub struct StreamHandle(Arc<Mutex<Option<HangUp>>>);

impl StreamHandle {
    /// Ends the stream; the listener opens it again, and the site sends everything anew.
    pub fn hang_up(&self) {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(open) = open {
            open.now();
        }
    }

    fn hold(&self, open: Option<HangUp>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = open;
    }
}

pub struct StreamListener<'a> {
    pub client: &'a Client,
    pub path: &'a str,
    /// Its name in the log.
    pub name: String,
    pub handle: &'a StreamHandle,
}

/// Why reading a stream ended.
enum End {
    /// It broke; the reason.
    Broken(String),
    /// A line was no event. What it said is lost, so the site is asked for everything anew.
    Malformed(String),
    /// Nobody listens any more, or nothing can follow.
    Done,
}

impl StreamListener<'_> {
    /// Until `pass_on` answers that nobody listens any more, `is_last` says that nothing can follow, the site refuses, or
    /// the operator leaves.
    pub fn run<E>(
        &self,
        parse: impl Fn(&str) -> Result<E, EventError>,
        is_last: impl Fn(&E) -> bool,
        mut pass_on: impl FnMut(StreamEvent<E>) -> bool,
    ) {
        let mut backoff = Backoff::new();
        let mut malformed = Malformed::default();
        let mut resynced: Option<Instant> = None;
        let healthy = self.client.shutdown().scale.apply(HEALTHY);
        while !self.client.shutdown().leaving() {
            let opened = Instant::now();
            let end = match self.client.open(self.path) {
                Ok(OpenStream { lines, hang_up }) => {
                    self.handle.hold(Some(hang_up));
                    // Leaving may have come between opening and holding.
                    if self.client.shutdown().leaving() {
                        return;
                    }
                    let end = self.read(lines, &parse, &is_last, &mut malformed, &mut pass_on);
                    self.handle.hold(None);
                    end
                }
                Err(RequestError::Unavailable(why)) => End::Broken(why),
                Err(RequestError::Leaving) => return,
                Err(refused) => {
                    pass_on(StreamEvent::Refused(refused));
                    return;
                }
            };
            if opened.elapsed() >= healthy {
                backoff.reset();
            }
            let (why, at_once) = match end {
                End::Done => return,
                End::Broken(why) => (why, false),
                // At once, because a clock may run; but a site that only sends such lines is not asked in a loop.
                End::Malformed(why) => (why, resynced.is_none_or(|last| last.elapsed() >= healthy)),
            };
            if self.client.shutdown().leaving() || !pass_on(StreamEvent::Lost) {
                return;
            }
            let wait = if at_once {
                resynced = Some(Instant::now());
                Duration::ZERO
            } else {
                backoff.next()
            };
            self.client.log(LogEvent::Lost { what: self.name.clone(), why, wait });
            self.client.shutdown().wait(wait);
        }
    }

    fn read<E>(
        &self,
        mut lines: crate::stream::Lines<ureq::BodyReader<'static>>,
        parse: &impl Fn(&str) -> Result<E, EventError>,
        is_last: &impl Fn(&E) -> bool,
        malformed: &mut Malformed,
        pass_on: &mut impl FnMut(StreamEvent<E>) -> bool,
    ) -> End {
        loop {
            let (line, why) = match lines.next_line() {
                Ok(None) => return End::Broken("the stream ended".to_string()),
                Err(error) => return End::Broken(clip(&error.to_string(), 200)),
                Ok(Some(Line::KeepAlive)) => continue,
                Ok(Some(Line::Malformed(bytes))) => (format!("{bytes} bytes"), format!("{bytes} bytes")),
                Ok(Some(Line::Text(text))) => match parse(&text) {
                    Ok(event) => {
                        let last = is_last(&event);
                        if !pass_on(StreamEvent::Event(event)) || last {
                            return End::Done;
                        }
                        continue;
                    }
                    Err(error) => (text, error.to_string()),
                },
            };
            let repeated = malformed.is_repeated(&line);
            self.client.log(LogEvent::Malformed { what: self.name.clone(), why: why.clone(), repeated });
            if !repeated {
                return End::Malformed(format!("a malformed line: {why}"));
            }
        }
    }
}

/// Malformed lines of the past. A line that comes again after the stream was opened anew is what the site means to
/// send, not a fault of the connection: opening the stream once more would not help.
#[derive(Default)]
struct Malformed(VecDeque<String>);

impl Malformed {
    fn is_repeated(&mut self, line: &str) -> bool {
        let line: String = line.chars().take(COMPARED).collect();
        if self.0.contains(&line) {
            return true;
        }
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back(line);
        false
    }
}
