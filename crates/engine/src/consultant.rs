//! The pool as an oracle: several searches in one turn, and one order to stop ends them all.

use crate::bell::Bell;
use crate::report::{Information, Report};
use crate::searcher::Party;
use chess::{Game, Move};
use human_model::oracle::{Collector, Line, Oracle, Question, Stopped};
use kernel::time::TimeSettings;
use kernel::{Clock, Control, Event, Limits, SearchSession};
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct Consultant<'a> {
    pub party: &'a mut Party,
    pub control: Arc<Control>,
    pub clock: Arc<dyn Clock>,
    pub time: TimeSettings,
    pub threads: usize,
    pub bell: Arc<Bell>,
    /// Opened with `go`: it knows whether we ponder and when our clock began.
    pub session: Arc<SearchSession>,
    pub nodes: u64,
}

impl Consultant<'_> {
    pub fn is_stopped(&self) -> bool {
        self.bell.is_rung()
    }

    /// Time since `go`.
    pub fn elapsed(&self) -> Duration {
        self.session.elapsed()
    }

    /// Whether it is still the opponent's turn.
    pub fn is_pondering(&self) -> bool {
        self.control.is_pondering() && !self.is_stopped()
    }

    /// Sleeps until it is really our turn.
    pub fn wait_for_turn(&self) {
        self.control.wait_for_release(false);
    }

    /// Takes as long as a person would, unless told to stop.
    pub fn dawdle(&self, time: Duration) {
        if !time.is_zero() {
            self.bell.wait(time);
        }
    }

    /// A new session on the same control. An order to stop that came before is not lost: the bell still rings.
    fn begin(&self, limits: Limits) -> Result<Arc<SearchSession>, Stopped> {
        let session = SearchSession::begin(
            Arc::clone(&self.control),
            Arc::clone(&self.clock),
            limits,
            self.time,
            self.threads,
        );
        if self.bell.is_rung() { Err(Stopped) } else { Ok(Arc::new(session)) }
    }

    /// A search under the limits `go` came with (pondering included), reported to `report`.
    pub fn first_search(
        &mut self,
        game: &Game,
        allowed: &[Move],
        lines: usize,
        limits: Option<Limits>,
        report: &mut dyn FnMut(Information),
    ) -> Result<Vec<Line>, Stopped> {
        let session = match limits {
            None => Arc::clone(&self.session),
            Some(limits) => self.begin(limits)?,
        };
        Ok(self.search(&session, game, allowed, lines, report))
    }

    fn search(
        &mut self,
        session: &Arc<SearchSession>,
        game: &Game,
        allowed: &[Move],
        lines: usize,
        report: &mut dyn FnMut(Information),
    ) -> Vec<Line> {
        let possible = match allowed.len() {
            0 => game.position().legal_moves().len(),
            few => few,
        };
        let lines = lines.min(possible).max(1);
        let mut collector = Collector::new(lines);
        self.party.search_in(session, game, allowed, lines, 0, &mut |event: Event<'_, Move>| {
            kernel::Sink::event(&mut collector, event.clone());
            if let Report::Information(information) = Report::from(event) {
                report(information);
            }
        });
        self.nodes = collector.nodes;
        collector.lines()
    }
}

impl Oracle for Consultant<'_> {
    fn ask(&mut self, question: &Question<'_>) -> Result<Vec<Line>, Stopped> {
        let session = self.begin(question.limits())?;
        Ok(self.search(&session, question.game, question.allowed, question.lines, &mut |_| {}))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
