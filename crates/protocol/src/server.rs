//! The loop from the first line to the last: UCI unless the other side says `xboard`.
//!
//! Lines are read on a thread of their own, so that the end of input, a failed write and the end of a search are
//! noticed whatever the engine is doing.

use crate::lines::{Line, read_line};
use crate::output::Output;
use crate::session::{Flow, Identity, Waker};
use crate::{uci, xboard};
use engine::{Engine, Interrupter};
use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Lines read ahead of the one being handled.
const QUEUED_LINES: usize = 64;

enum Event {
    Line(Line),
    EndOfInput,
    ReadFailed(io::Error),
    /// A search has ended or a write has failed.
    Wake,
}

/// Serves until `quit`, the end of input or a failed write; then ends any search and returns.
pub fn serve(
    engine: Engine,
    identity: &Identity,
    input: impl BufRead + Send + 'static,
    output: &Output,
) -> io::Result<()> {
    let (sender, events) = sync_channel(QUEUED_LINES);
    // A full queue wakes the loop as well.
    let waking = sender.clone();
    let waker: Waker = Arc::new(move || drop(waking.try_send(Event::Wake)));
    let failed = Arc::clone(&waker);
    output.on_failure(move || failed());
    let mut conversation = Conversation::new(engine, identity, output, waker);
    match read_on_thread(input, sender) {
        Ok(()) => serve_events(&mut conversation, &events, output),
        Err(mut input) => serve_lines(&mut conversation, &mut input, output),
    }
}

/// Handles these lines as if they had been typed, waiting for the end of every search, perft and bench.
pub fn run_script(engine: Engine, identity: &Identity, lines: &[String], output: &Output) -> io::Result<()> {
    let mut conversation = Conversation::new(engine, identity, output, Arc::new(|| {}));
    for line in lines.iter().flat_map(|line| line.lines()) {
        let flow = conversation.handle(Line::Text(line.to_string()));
        conversation.wait();
        if flow == Flow::Quit || conversation.settle() == Flow::Quit {
            break;
        }
    }
    output.failure().map_or(Ok(()), Err)
}

/// Starts the reading thread. Where the system gives none, the input comes back.
fn read_on_thread<I: BufRead + Send + 'static>(input: I, events: SyncSender<Event>) -> Result<(), I> {
    let shared = Arc::new(Mutex::new(Some(input)));
    let take = |shared: &Mutex<Option<I>>| shared.lock().unwrap_or_else(PoisonError::into_inner).take();
    let reading = Arc::clone(&shared);
    let started = std::thread::Builder::new().name("input".into()).spawn(move || {
        let Some(mut input) = take(&reading) else { return };
        loop {
            let event = match read_line(&mut input) {
                Ok(Some(line)) => Event::Line(line),
                Ok(None) => Event::EndOfInput,
                Err(error) => Event::ReadFailed(error),
            };
            let is_last = !matches!(event, Event::Line(_));
            // Nobody listens any more after `quit`.
            if events.send(event).is_err() || is_last {
                return;
            }
        }
    });
    match started {
        Ok(_) => Ok(()),
        Err(_) => take(&shared).map_or(Ok(()), Err),
    }
}

fn serve_events(
    conversation: &mut Conversation,
    events: &Receiver<Event>,
    output: &Output,
) -> io::Result<()> {
    for event in events {
        let flow = match event {
            Event::Line(line) => conversation.handle(line),
            Event::Wake => Flow::Continue,
            Event::EndOfInput => return Ok(()),
            Event::ReadFailed(error) => return Err(error),
        };
        if let Some(error) = output.failure() {
            return Err(error);
        }
        if flow == Flow::Quit || conversation.settle() == Flow::Quit {
            return Ok(());
        }
    }
    Ok(())
}

/// Without a reading thread: the end of a search is noticed with the next line, so a ping waits for it here.
fn serve_lines(conversation: &mut Conversation, input: &mut impl BufRead, output: &Output) -> io::Result<()> {
    while let Some(line) = read_line(input)? {
        let flow = conversation.handle(line);
        if let Some(error) = output.failure() {
            return Err(error);
        }
        if conversation.owes_pong() {
            conversation.wait();
        }
        if flow == Flow::Quit || conversation.settle() == Flow::Quit {
            return Ok(());
        }
    }
    Ok(())
}

/// The protocol spoken now, for whoever reads lines in a way of their own.
pub struct Conversation {
    session: Option<Session>,
    identity: Identity,
    output: Output,
    waker: Waker,
}

enum Session {
    Uci(Box<uci::Session>),
    Xboard(Box<xboard::Session>),
}

impl Conversation {
    /// Begins in UCI. Searches that end call nobody: for a host where they end before [`Conversation::answer`] comes back.
    pub fn begin(engine: Engine, identity: &Identity, output: &Output) -> Conversation {
        Conversation::new(engine, identity, output, Arc::new(|| {}))
    }

    /// Handles one line and what its search made possible; false when the conversation is over.
    pub fn answer(&mut self, line: &str) -> bool {
        let flow = self.handle(Line::Text(line.to_string()));
        flow != Flow::Quit && self.settle() != Flow::Quit
    }

    /// Stops the search that [`Conversation::answer`] is busy with.
    pub fn interrupter(&self) -> Option<Interrupter> {
        match self.session.as_ref()? {
            Session::Uci(session) => Some(session.interrupter()),
            Session::Xboard(session) => Some(session.interrupter()),
        }
    }

    fn new(engine: Engine, identity: &Identity, output: &Output, waker: Waker) -> Conversation {
        let session =
            Some(Session::Uci(Box::new(uci::Session::new(engine, identity.clone(), output.clone()))));
        Conversation { session, identity: identity.clone(), output: output.clone(), waker }
    }

    fn handle(&mut self, line: Line) -> Flow {
        let flow = match (&mut self.session, line) {
            (Some(Session::Uci(session)), Line::Text(text)) => session.handle(&text),
            (Some(Session::Xboard(session)), Line::Text(text)) => session.handle(&text),
            (Some(Session::Uci(session)), Line::TooLong { bytes }) => session.too_long(bytes),
            (Some(Session::Xboard(session)), Line::TooLong { bytes }) => session.too_long(bytes),
            (None, _) => Flow::Quit,
        };
        self.change(flow)
    }

    /// What a search that has ended makes possible.
    fn settle(&mut self) -> Flow {
        let flow = match &mut self.session {
            Some(Session::Xboard(session)) => session.settle(),
            _ => Flow::Continue,
        };
        self.change(flow)
    }

    fn owes_pong(&self) -> bool {
        matches!(&self.session, Some(Session::Xboard(session)) if session.owes_pong())
    }

    fn wait(&self) {
        match &self.session {
            Some(Session::Uci(session)) => session.wait(),
            Some(Session::Xboard(session)) => session.wait(),
            None => {}
        }
    }

    /// Changes the protocol if that is asked for.
    fn change(&mut self, flow: Flow) -> Flow {
        let (identity, output) = (self.identity.clone(), self.output.clone());
        self.session = match (flow, self.session.take()) {
            (Flow::ToXboard, Some(Session::Uci(session))) => {
                let waker = Arc::clone(&self.waker);
                let session = xboard::Session::new(session.into_engine(), identity, output, waker);
                Some(Session::Xboard(Box::new(session)))
            }
            (Flow::ToUci, Some(Session::Xboard(session))) => {
                let mut session = uci::Session::new(session.into_engine(), identity, output);
                session.handle("uci");
                Some(Session::Uci(Box::new(session)))
            }
            (_, session) => session,
        };
        if flow == Flow::Quit { Flow::Quit } else { Flow::Continue }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::time::{Duration, Instant};

    struct TestClock(Instant);

    impl engine::Clock for TestClock {
        fn now(&self) -> Duration {
            self.0.elapsed()
        }
    }

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn conversation(written: &Written) -> (Conversation, Output) {
        let engine = Engine::new(Arc::new(TestClock(Instant::now()))).unwrap();
        let identity = Identity { name: "Tabiya test".into(), author: "us".into() };
        let output = Output::new(written.clone());
        (Conversation::new(engine, &identity, &output, Arc::new(|| {})), output)
    }

    #[test]
    fn without_a_reading_thread_lines_are_served_in_order() {
        let written = Written::default();
        let (mut conversation, output) = conversation(&written);
        let mut input: &[u8] = b"isready\nxboard\nsd 2\ngo\nping 3\nforce\nping 4\nquit\nping 5\n";
        serve_lines(&mut conversation, &mut input, &output).unwrap();
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        let starts: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap_or_default()).collect();
        assert_eq!(starts, ["readyok", "move", "pong", "pong"], "{text}");
    }
}
