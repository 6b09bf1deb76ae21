//! The searches of one turn: as many as the play mode needs, and one order to stop ends them all.

use crate::policy_pool::{PolicyPool, SearchTerms};
use crate::report::{Information, Report};
use crate::stop_signal::StopSignal;
use chess::{Game, Move};
use eval::Evaluation;
use human_model::oracle::{Collector, Line, Oracle, Question, Stopped};
use kernel::time::TimeSettings;
use kernel::{Clock, Control, Event, Limits, SearchSession};
use std::sync::Arc;
use std::time::Duration;

/// What one search found.
pub(crate) struct Found {
    /// Best first, with exact scores.
    pub lines: Vec<Line>,
    /// The move that the search would play. A search that ended after a fail-high plays a move that has no exact score yet.
    pub best: Option<Move>,
}

pub(crate) struct TurnSearch<'a> {
    pub pool: &'a mut PolicyPool,
    /// Of the searches: their scores are converted by it.
    pub evaluation: Evaluation,
    pub control: Arc<Control>,
    pub clock: Arc<dyn Clock>,
    pub time: TimeSettings,
    pub workers: usize,
    pub stop: Arc<StopSignal>,
    /// Opened with `go`: it knows whether we ponder and when our clock began.
    pub session: Arc<SearchSession>,
    /// Nodes of the last search.
    pub nodes: u64,
    /// A worker panicked in one of the searches, and that is not reported yet.
    pub has_failed: bool,
}

impl TurnSearch<'_> {
    pub fn is_stopped(&self) -> bool {
        self.stop.is_raised()
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

    /// Waits so long, unless told to stop.
    pub fn wait(&self, time: Duration) {
        if !time.is_zero() {
            self.stop.wait(time);
        }
    }

    /// A new session on the same control. An order to stop that came before is not lost: the signal is still raised.
    fn begin(&self, limits: Limits) -> Result<Arc<SearchSession>, Stopped> {
        let session = SearchSession::begin(
            Arc::clone(&self.control),
            Arc::clone(&self.clock),
            limits,
            self.time.clone(),
            self.workers,
        );
        if self.stop.is_raised() { Err(Stopped) } else { Ok(Arc::new(session)) }
    }

    /// The one search of a normal turn, in the session that `go` opened. The best move is reported as soon as it is known:
    /// workers may still be on their way back.
    pub fn search_root(
        &mut self,
        game: &Game,
        allowed: &[Move],
        terms: SearchTerms,
        report: &mut dyn FnMut(Report),
    ) {
        let session = Arc::clone(&self.session);
        let mut is_told = false;
        let mut sink = |event: Event<'_, Move>| {
            is_told |= matches!(event, Event::Failed);
            report(Report::from(event));
        };
        let succeeded = self.pool.search(&session, game, allowed, terms, &mut sink);
        self.has_failed |= !succeeded && !is_told;
    }

    /// A search under the limits `go` came with (pondering included), reported to `report`.
    pub fn first_search(
        &mut self,
        game: &Game,
        allowed: &[Move],
        lines: usize,
        limits: Option<Limits>,
        report: &mut dyn FnMut(Information),
    ) -> Result<Found, Stopped> {
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
    ) -> Found {
        let possible = match allowed.len() {
            0 => game.position().legal_moves().len(),
            few => few,
        };
        let lines = lines.min(possible).max(1);
        let mut collector = Collector::new(lines, &self.evaluation);
        let mut chosen = None;
        let mut sink = |event: Event<'_, Move>| {
            kernel::Sink::event(&mut collector, event.clone());
            match Report::from(event) {
                Report::Information(information) => report(information),
                Report::Best { best, .. } => chosen = best,
                Report::Remark(_) => {}
            }
        };
        let terms = SearchTerms { lines, contempt: 0 };
        let succeeded = self.pool.search(session, game, allowed, terms, &mut sink);
        self.has_failed |= !succeeded;
        self.nodes = collector.nodes;
        Found { lines: collector.lines(), best: chosen }
    }
}

impl Oracle for TurnSearch<'_> {
    fn ask(&mut self, question: &Question<'_>) -> Result<Vec<Line>, Stopped> {
        let session = self.begin(question.limits())?;
        Ok(self.search(&session, question.game, question.allowed, question.lines, &mut |_| {}).lines)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
