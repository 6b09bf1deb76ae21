//! The session of a page that may have no threads: commands, reports and searches take turns on the one thread there is. The host
//! calls [`Turns::step`] again and again; while a search runs inside it, the clock that the search reads calls
//! [`Turns::during_search`], and the host [`Turns::interrupt`] when the page wants something.

use crate::messages::Command;
use crate::session::{EventSink, TabSession};
use crate::session_input::{CoachUpdate, LaserUpdate, SessionInput};
use crate::shared::Shared;
use common::background;
use engine::Report;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// When the next step is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextStep {
    Now,
    After(Duration),
    /// When a command has come.
    OnCommand,
}

/// What the page wants while a search runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interruption {
    /// To be heard soon: analyses without an end pause, all other searches go on to theirs.
    Pause,
    /// What was asked for is not wanted any more: every search ends.
    Stop,
}

pub struct Turns {
    session: RefCell<TabSession>,
    commands: RefCell<VecDeque<SessionInput>>,
    reports: Receiver<SessionInput>,
    /// Reports that may start a search, and what came after them: handled when the running one is over.
    held: RefCell<VecDeque<SessionInput>>,
    has_paused: Cell<bool>,
    /// The last reports of analyses that paused, in the order in which they go on.
    paused: RefCell<VecDeque<SessionInput>>,
    /// Since when the search that runs has run.
    since: Cell<Instant>,
}

/// So long does an analysis without an end run while another one waits. All other work goes first.
const SHARE: Duration = Duration::from_secs(2);

impl Turns {
    /// Opens the session. From now on the thread does without others.
    pub fn open(shared: Arc<Shared>, sink: Box<dyn EventSink>) -> Turns {
        background::do_without_threads();
        let (inputs, reports) = channel();
        let session = TabSession::new(shared, inputs, sink);
        session.welcome();
        Turns {
            session: RefCell::new(session),
            commands: RefCell::default(),
            reports,
            held: RefCell::default(),
            has_paused: Cell::new(false),
            paused: RefCell::default(),
            since: Cell::new(Instant::now()),
        }
    }

    /// Takes a command of the page as JSON, for the next step.
    pub fn send(&self, json: &str) {
        self.take(
            serde_json::from_str::<Command>(json).map_or(SessionInput::Malformed, SessionInput::Command),
        );
    }

    fn take(&self, input: SessionInput) {
        self.commands.borrow_mut().push_back(input);
    }

    /// Handles what has come and what is due, then does one piece of the work that waits.
    pub fn step(&self) -> NextStep {
        {
            let mut session = self.session.borrow_mut();
            // Commands first: reports of searches that a command has ended are not current then.
            while let Some(command) = self.commands.borrow_mut().pop_front() {
                session.handle(command);
            }
            while let Some(report) = self.next_report() {
                if self.has_paused.get() && session.may_resume(&report) {
                    self.paused.borrow_mut().push_back(report);
                } else {
                    session.handle(report);
                }
            }
            session.handle_deadlines(Instant::now());
            while !background::is_waiting() {
                let Some(report) = self.paused.borrow_mut().pop_front() else { break };
                session.resume(&report);
            }
        }
        self.has_paused.set(false);
        self.since.set(Instant::now());
        if background::run_next() {
            return NextStep::Now;
        }
        let deadline = self.session.borrow().deadline();
        deadline
            .map_or(NextStep::OnCommand, |due| NextStep::After(due.saturating_duration_since(Instant::now())))
    }

    fn next_report(&self) -> Option<SessionInput> {
        let held = self.held.borrow_mut().pop_front();
        held.or_else(|| self.reports.try_recv().ok())
    }

    /// Shows the page what the running search has found so far.
    pub fn during_search(&self) {
        // The session itself may wait for a search that it has ended.
        let Ok(mut session) = self.session.try_borrow_mut() else { return };
        let mut held = self.held.borrow_mut();
        while let Ok(report) = self.reports.try_recv() {
            if held.is_empty() && !may_start_search(&report) {
                session.handle(report);
            } else {
                held.push_back(report);
            }
        }
        session.send_collected(Instant::now());
        drop(session);
        let is_due = !self.paused.borrow().is_empty() && self.since.get().elapsed() > SHARE;
        if is_due || background::is_waiting() {
            self.interrupt(Interruption::Pause);
        }
    }

    /// Called while a search runs.
    pub fn interrupt(&self, wanted: Interruption) {
        self.has_paused.set(true);
        if let Ok(session) = self.session.try_borrow() {
            session.interrupt(wanted == Interruption::Stop);
        }
    }
}

fn may_start_search(input: &SessionInput) -> bool {
    match input {
        SessionInput::Search { report, .. } => matches!(report, Report::Best { .. }),
        SessionInput::Laser(update) => matches!(update, LaserUpdate::Best { .. }),
        SessionInput::Coach { update, .. } => !matches!(update, CoachUpdate::Progress { .. }),
        _ => true,
    }
}

#[cfg(test)]
mod tests;
