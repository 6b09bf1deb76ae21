//! An infinite analysis. Another position keeps the engine and its hash table.

use super::context::{REPORT_INTERVAL, SessionContext};
use super::engine_handle::EngineHandle;
use crate::describe;
use crate::limits::{self, Machine};
use crate::messages::{AnalysisLine, AnalysisSettings, Event, Sharing, Slot};
use crate::problem::Problem;
use crate::session_input::SearchOwner;
use chess::{Game, Position};
use engine::{Information, Report, Request, SearchStatistics};
use kernel::counters::Count;
use kernel::{Bound, Limits};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How often the page is told about the progress of a search without a new line.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);
/// Moves of a line that are sent.
const LONGEST_LINE: usize = 16;
/// Megabytes of hash for a new engine, until the page chooses.
const HASH: u32 = 16;

pub struct AnalysisSession {
    slot: Slot,
    engine: EngineHandle,
    number: u32,
    root: Position,
    threat: bool,
    lines: BTreeMap<u32, AnalysisLine>,
    last: Option<Information>,
    /// Less deep lines are not shown: they were seen before the search was interrupted.
    shown_depth: u32,
    /// Nodes and time before the search was interrupted, and those that the search has reported since.
    earlier: (u64, Duration),
    reported: (u64, Duration),
    /// The statistics as last read.
    progress: Option<SearchStatistics>,
    running: bool,
    /// When the page is sent what was collected.
    due: Option<Instant>,
}

impl AnalysisSession {
    pub fn new(slot: Slot, context: &SessionContext) -> Result<AnalysisSession, Problem> {
        let mut engine = EngineHandle::new(SearchOwner::Analysis(slot), HASH, context)?;
        engine.set("UCI_AnalyseMode", "true")?;
        Ok(AnalysisSession {
            slot,
            engine,
            number: 0,
            root: Position::default(),
            threat: false,
            lines: BTreeMap::new(),
            last: None,
            shown_depth: 0,
            earlier: (0, Duration::ZERO),
            reported: (0, Duration::ZERO),
            progress: None,
            running: false,
            due: None,
        })
    }

    pub fn start(
        &mut self,
        game: Game,
        settings: &AnalysisSettings,
        threat: bool,
        machine: Machine,
    ) -> Result<(), Problem> {
        self.engine.stop();
        self.engine.set("Hash", &machine.hash(settings.hash_megabytes).to_string())?;
        self.engine.set("Threads", &machine.threads(settings.threads).to_string())?;
        self.engine.set("MultiPV", &settings.lines.clamp(1, limits::LINES).to_string())?;
        self.engine.choose(&settings.options, machine)?;
        self.root = game.position().clone();
        self.threat = threat;
        self.lines.clear();
        self.last = None;
        self.shown_depth = 0;
        self.earlier = (0, Duration::ZERO);
        self.reported = (0, Duration::ZERO);
        self.progress = None;
        self.running = true;
        self.due = Some(Instant::now() + REPORT_INTERVAL);
        self.search(game);
        Ok(())
    }

    fn search(&mut self, game: Game) {
        let limits = Limits { infinite: true, ..Limits::default() };
        self.number = self.engine.go(game, Request::new(limits));
    }

    pub fn interrupt(&self) {
        self.engine.interrupt();
    }

    /// Whether this search was interrupted and is still wanted.
    pub fn may_resume(&self, number: u32) -> bool {
        self.running && number == self.number && self.engine.is_current(number)
    }

    /// Searches on; the hash table has what was found before.
    pub fn resume(&mut self) {
        self.shown_depth = self.last.as_ref().map_or(0, |last| last.depth);
        self.earlier = self.spent();
        self.reported = (0, Duration::ZERO);
        self.progress = None;
        let game = self.engine.engine().game().clone();
        self.search(game);
    }

    /// Ends the search and returns its last state.
    pub fn stop(&mut self) -> Option<Event> {
        if !self.running {
            return None;
        }
        self.read_progress();
        self.engine.stop();
        self.running = false;
        self.due = None;
        Some(self.event())
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.due
    }

    pub fn handle_deadline(&mut self, now: Instant) -> Option<Event> {
        if self.due.is_none_or(|due| due > now) {
            return None;
        }
        // Between two lines the node count goes on.
        self.due = self.running.then_some(now + PROGRESS_INTERVAL);
        self.read_progress();
        Some(self.event())
    }

    pub fn handle_report(&mut self, number: u32, report: Report) {
        if number != self.number || !self.engine.is_current(number) {
            return;
        }
        match report {
            Report::Information(information) => self.add_line(information),
            Report::Remark(_) => return,
            Report::Best { .. } => self.running = false,
        }
        let soon = Instant::now() + REPORT_INTERVAL;
        self.due = Some(self.due.map_or(soon, |due| due.min(soon)));
    }

    fn add_line(&mut self, information: Information) {
        self.reported = (information.nodes, information.time);
        if information.depth < self.shown_depth {
            return;
        }
        // A bound says only that the value lies on one side; the last exact line says more.
        if information.bound == Bound::Exact && !information.line.is_empty() {
            let notation = describe::notation(&self.root, &information.line, LONGEST_LINE);
            let line = AnalysisLine {
                rank: information.rank,
                depth: information.depth,
                selective_depth: information.selective_depth,
                worth: describe::worth(information.score, self.root.turn()),
                san: notation.san,
                uci: notation.uci,
                fens: notation.fens,
            };
            self.lines.insert(information.rank, line);
        }
        self.last = Some(information);
    }

    /// Reads the progress while the search runs: afterwards its clock has no meaning.
    fn read_progress(&mut self) {
        if self.running {
            self.progress = self.engine.engine().progress();
        }
    }

    /// Nodes and time so far.
    fn spent(&self) -> (u64, Duration) {
        let ((earlier, before), (reported, spent)) = (self.earlier, self.reported);
        let progress = self.progress.as_ref();
        let nodes = progress.map_or(reported, |progress| reported.max(progress.counters[Count::Nodes]));
        let time = progress.map_or(spent, |progress| spent.max(progress.time));
        (earlier + nodes, before + time)
    }

    fn event(&self) -> Event {
        let (last, progress) = (self.last.as_ref(), self.progress.as_ref());
        let (nodes, time) = self.spent();
        Event::Analysis {
            slot: self.slot,
            threat: self.threat,
            fen: self.root.to_fen(),
            lines: self.lines.values().cloned().collect(),
            depth: last.map_or(0, |found| found.depth),
            nodes: nodes as f64,
            nodes_per_second: nodes as f64 / time.as_secs_f64().max(1e-3),
            milliseconds: time.as_millis() as u32,
            permille_used: last.map_or(0, |found| found.permille_used),
            sharing: progress.map(sharing),
            running: self.running,
        }
    }
}

fn sharing(progress: &SearchStatistics) -> Sharing {
    let count = |count: Count| progress.counters[count] as f64;
    Sharing {
        workers: progress.workers as u32,
        offers: count(Count::SplitPoints),
        takes: count(Count::Joins),
        aborts: count(Count::Aborts),
        waits: count(Count::Waits),
        deferrals: count(Count::Deferrals),
        idle: progress.idle(),
    }
}
