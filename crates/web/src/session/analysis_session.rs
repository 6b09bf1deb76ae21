//! An analysis that deepens until told to stop. Moving on to another position keeps the engine and its table.

use super::engines::Bench;
use super::{BREATH, Session, Who};
use crate::describe;
use crate::limits::{self, Machine};
use crate::messages::{AnalysisLine, AnalysisSettings, Event, Sharing, Slot};
use crate::problem::Problem;
use chess::{Game, Position};
use engine::{Information, Report, Request, SearchStatistics};
use kernel::counters::Count;
use kernel::{Bound, Limits};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How often the page hears how far a search is when there is no new line to tell.
const PULSE: Duration = Duration::from_millis(500);
/// Moves of a line that are told.
const LONGEST_LINE: usize = 16;
/// Megabytes for a new engine, until the page chooses.
const HASH: u32 = 16;

pub struct Analyst {
    slot: Slot,
    bench: Bench,
    number: u32,
    root: Position,
    threat: bool,
    lines: BTreeMap<u32, AnalysisLine>,
    last: Option<Information>,
    /// The search as it was last looked at.
    seen: Option<SearchStatistics>,
    running: bool,
    /// When the page is told what was gathered.
    due: Option<Instant>,
}

impl Analyst {
    pub fn new(slot: Slot, session: &Session) -> Result<Analyst, Problem> {
        let mut bench = Bench::new(Who::Analysis(slot), HASH, session)?;
        bench.set("UCI_AnalyseMode", "true")?;
        Ok(Analyst {
            slot,
            bench,
            number: 0,
            root: Position::default(),
            threat: false,
            lines: BTreeMap::new(),
            last: None,
            seen: None,
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
        let game = if threat { passed(&game)? } else { game };
        self.bench.stop();
        self.bench.set("Hash", &machine.hash(settings.hash_megabytes).to_string())?;
        self.bench.set("Threads", &machine.threads(settings.threads).to_string())?;
        self.bench.set("MultiPV", &settings.lines.clamp(1, limits::LINES).to_string())?;
        self.bench.choose(&settings.options, machine)?;
        self.root = game.position().clone();
        self.threat = threat;
        self.lines.clear();
        self.last = None;
        self.seen = None;
        self.running = true;
        self.due = Some(Instant::now() + BREATH);
        let limits = Limits { infinite: true, ..Limits::default() };
        self.number = self.bench.go(game, Request::new(limits));
        Ok(())
    }

    /// Ends the search and says how far it came.
    pub fn stop(&mut self) -> Option<Event> {
        if !self.running {
            return None;
        }
        self.look();
        self.bench.stop();
        self.running = false;
        self.due = None;
        Some(self.event())
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.due
    }

    pub fn tick(&mut self, now: Instant) -> Option<Event> {
        if self.due.is_none_or(|due| due > now) {
            return None;
        }
        // Between two lines the numbers go on.
        self.due = self.running.then_some(now + PULSE);
        self.look();
        Some(self.event())
    }

    pub fn report(&mut self, number: u32, report: Report) {
        if number != self.number || !self.bench.is_current(number) {
            return;
        }
        match report {
            Report::Information(information) => self.learn(information),
            Report::Remark(_) => return,
            Report::Best { .. } => self.running = false,
        }
        let soon = Instant::now() + BREATH;
        self.due = Some(self.due.map_or(soon, |due| due.min(soon)));
    }

    fn learn(&mut self, information: Information) {
        // A bound says only that the value lies on one side; the last exact line says more.
        if information.bound == Bound::Exact && !information.line.is_empty() {
            let spelled = describe::spell(&self.root, &information.line, LONGEST_LINE);
            let line = AnalysisLine {
                rank: information.rank,
                depth: information.depth,
                selective_depth: information.selective_depth,
                worth: describe::worth(information.score, self.root.turn()),
                san: spelled.san,
                uci: spelled.uci,
                fens: spelled.fens,
            };
            self.lines.insert(information.rank, line);
        }
        self.last = Some(information);
    }

    /// Sees how far the search is, while it runs: afterwards its clock says nothing any more.
    fn look(&mut self) {
        if self.running {
            self.seen = self.bench.engine().progress();
        }
    }

    fn event(&self) -> Event {
        let last = self.last.as_ref();
        let (told, spent) = last.map_or((0, Duration::ZERO), |found| (found.nodes, found.time));
        let seen = self.seen.as_ref();
        let nodes = seen.map_or(told, |seen| told.max(seen.counters[Count::Nodes]));
        let time = seen.map_or(spent, |seen| spent.max(seen.time));
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
            sharing: seen.map(sharing),
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

/// The same position with the other side to move.
fn passed(game: &Game) -> Result<Game, Problem> {
    let mut position = game.position().clone();
    if position.in_check() || !position.has_legal_move() {
        return Err(Problem::new(
            "There is no threat to show: the king is in check.",
            "Step to another move.",
        ));
    }
    position.play_null();
    Ok(Game::new(position))
}
