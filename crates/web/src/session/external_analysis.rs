//! An infinite analysis by another UCI engine: a process of the server's machine that the operator allowed by name.
//!
//! A thread of its own talks to the process, so that a slow or silent engine never holds up the session.

use super::context::{CountedSearch, REPORT_INTERVAL, SessionContext};
use crate::describe;
use crate::limits::{self, Machine};
use crate::messages::{AnalysisLine, AnalysisSettings, Event, OptionControl, OptionFact, Slot, Worth};
use crate::problem::Problem;
use crate::session_input::{ExternalUpdate, SessionInput};
use chess::{Color, Game, Position};
use match_runner::fault::Fault;
use match_runner::process::{EngineProcess, Launch};
use match_runner::stop::StopFlag;
use protocol::client::analysis::{self, Variation};
use protocol::client::info::ReportedScore;
use protocol::client::offer::{Control, Offer};
use protocol::client::uci;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Moves of a line that are sent.
const LONGEST_LINE: usize = 16;
/// How long an engine may take to start, to get ready and to stop.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the thread looks for a command while the engine searches.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Options of an engine that are offered.
const MOST_OPTIONS: usize = 100;

/// What the thread is asked to do.
enum Task {
    Search { number: u32, setup: Vec<String>, options: Vec<(String, String)> },
    Stop,
}

pub struct ExternalAnalysis {
    slot: Slot,
    /// Of the engine, in the operator's list.
    name: String,
    tasks: Option<Sender<Task>>,
    thread: Option<JoinHandle<()>>,
    stop: StopFlag,
    number: u32,
    root: Position,
    threat: bool,
    lines: BTreeMap<u32, AnalysisLine>,
    last: Option<Variation>,
    running: bool,
    /// When the page is sent what was collected.
    due: Option<Instant>,
}

impl Drop for ExternalAnalysis {
    /// Waits until the process is gone.
    fn drop(&mut self) {
        self.stop.raise();
        self.tasks = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl ExternalAnalysis {
    /// Starts the engine of this name. Safety rule 6: the page names an entry of the operator's list, never a path.
    pub fn new(slot: Slot, name: &str, context: &SessionContext) -> Result<ExternalAnalysis, Problem> {
        const NEXT: &str = "Choose an engine of the list.";
        let allowed = context.shared.engines.iter().find(|engine| engine.name == name);
        let Some(allowed) = allowed else {
            return Err(Problem::new(
                format!("The engine \"{}\" is not on the list.", common::clip(name, 40)),
                NEXT,
            ));
        };
        let (tasks, received) = channel();
        let (stop, inputs, path) = (StopFlag::default(), context.inputs.clone(), allowed.path.clone());
        let (raised, searches) = (stop.clone(), context.shared.searches.clone());
        let thread = std::thread::Builder::new()
            .name("external engine".to_string())
            .spawn(move || {
                let send = |number, update| {
                    // A session that has ended needs no update.
                    let _ = inputs.send(SessionInput::External { slot, number, update });
                };
                let count = || CountedSearch::new(&searches);
                if let Err((number, fault)) = drive(&path, &raised, &received, &send, &count)
                    && fault != Fault::Interrupted
                {
                    send(number, ExternalUpdate::Failed(fault.to_string()));
                }
            })
            .map_err(|error| Problem::new(format!("The engine cannot start: {error}."), NEXT))?;
        Ok(ExternalAnalysis {
            slot,
            name: name.to_string(),
            tasks: Some(tasks),
            thread: Some(thread),
            stop,
            number: 0,
            root: Position::default(),
            threat: false,
            lines: BTreeMap::new(),
            last: None,
            running: false,
            due: None,
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn start(&mut self, game: &Game, settings: &AnalysisSettings, threat: bool, machine: Machine) {
        let chess960 = describe::is_chess960(game.start());
        let option = |name: &str, value: String| uci::set_option(name, &value);
        let moves: Vec<String> = game
            .moves()
            .iter()
            .zip(game.positions())
            .map(|(mv, position)| position.uci(*mv, chess960).to_string())
            .collect();
        let setup = vec![
            option(analysis::THREADS_OPTION, machine.threads(settings.threads).to_string()),
            option(analysis::HASH_OPTION, machine.hash(settings.hash_megabytes).to_string()),
            option(analysis::MULTI_PV_OPTION, settings.lines.clamp(1, limits::LINES).to_string()),
            option(uci::CHESS960_OPTION, chess960.to_string()),
            uci::position(game.start(), &moves, chess960),
        ];
        self.number += 1;
        self.root = game.position().clone();
        self.threat = threat;
        self.lines.clear();
        self.last = None;
        self.running = true;
        self.due = Some(Instant::now() + REPORT_INTERVAL);
        if let Some(tasks) = &self.tasks {
            // A thread that has ended has reported why.
            let options = settings.options.clone();
            let _ = tasks.send(Task::Search { number: self.number, setup, options });
        }
    }

    /// Ends the search and returns its last state.
    pub fn stop(&mut self) -> Option<Event> {
        if !self.running {
            return None;
        }
        if let Some(tasks) = &self.tasks {
            let _ = tasks.send(Task::Stop);
        }
        self.number += 1;
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
        self.due = None;
        Some(self.event())
    }

    pub fn handle_update(&mut self, number: u32, update: ExternalUpdate) -> Result<Option<Event>, Problem> {
        match update {
            ExternalUpdate::Offers(offers) => {
                let options = offers.into_iter().filter_map(fact).collect();
                return Ok(Some(Event::EngineOptions { engine: self.name.clone(), options }));
            }
            ExternalUpdate::Failed(why) => {
                self.running = false;
                let what = format!("The engine {} {why}.", common::clip(&self.name, 40));
                return Err(Problem::new(what, "Start the analysis again, or choose another engine."));
            }
            ExternalUpdate::Variation(found) if number == self.number => self.add_line(found),
            ExternalUpdate::Ended if number == self.number => self.running = false,
            ExternalUpdate::Variation(_) | ExternalUpdate::Ended => return Ok(None),
        }
        let soon = Instant::now() + REPORT_INTERVAL;
        self.due = Some(self.due.map_or(soon, |due| due.min(soon)));
        Ok(None)
    }

    fn add_line(&mut self, found: Variation) {
        // A bound says only that the value lies on one side; the last exact line says more.
        if found.exact && (1..=u32::from(limits::LINES)).contains(&found.rank) {
            let mut position = self.root.clone();
            let mut moves = Vec::new();
            // What is not legal ends the line: nothing of another program is believed.
            while let Some(mv) = found.moves.get(moves.len()).and_then(|text| position.parse_uci(text).ok()) {
                moves.push(mv);
                position.play(mv);
            }
            let notation = describe::notation(&self.root, &moves, LONGEST_LINE);
            let line = AnalysisLine {
                rank: found.rank,
                depth: found.depth,
                selective_depth: found.selective_depth,
                worth: worth(found.score, self.root.turn()),
                san: notation.san,
                uci: notation.uci,
                fens: notation.fens,
            };
            self.lines.insert(found.rank, line);
        }
        self.last = Some(found);
    }

    fn event(&self) -> Event {
        let last = self.last.as_ref();
        let (nodes, time) = last.map_or((0, Duration::ZERO), |found| (found.nodes, found.time));
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
            sharing: None,
            running: self.running,
        }
    }
}

fn worth(score: ReportedScore, turn: Color) -> Worth {
    let sign = if turn.is_white() { 1 } else { -1 };
    match score {
        ReportedScore::Centipawns(value) => Worth::Centipawns(value.saturating_mul(sign)),
        ReportedScore::Mate(moves) => Worth::Mate(moves.saturating_mul(sign)),
    }
}

/// Talks to the process until the session drops its tasks. The error names the search that failed.
fn drive(
    path: &Path,
    stop: &StopFlag,
    tasks: &Receiver<Task>,
    send: &impl Fn(u32, ExternalUpdate),
    count: &impl Fn() -> CountedSearch,
) -> Result<(), (u32, Fault)> {
    let launch = Launch { command: path.to_owned(), arguments: Vec::new(), directory: None };
    let mut process = EngineProcess::start(&launch, stop.clone()).map_err(|fault| (0, fault))?;
    let offers = introduce(&mut process).map_err(|fault| (0, fault))?;
    send(0, ExternalUpdate::Offers(offers.clone()));
    let mut searching: Option<(u32, CountedSearch)> = None;
    loop {
        let number = searching.as_ref().map_or(0, |(number, _)| *number);
        let failed = |fault| (number, fault);
        let task = if searching.is_some() {
            match tasks.try_recv() {
                Ok(task) => Some(task),
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => break,
            }
        } else {
            match tasks.recv_timeout(PATIENCE) {
                Ok(task) => Some(task),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        };
        if task.is_some() && searching.take().is_some() {
            process.send(uci::STOP).map_err(failed)?;
            wait_for(&mut process, |reply| matches!(reply, uci::Reply::BestMove { .. })).map_err(failed)?;
        }
        match task {
            Some(Task::Search { number, setup, options }) => {
                let failed = |fault| (number, fault);
                // Safety rule 6: only what the engine offered, and no text, which may name a file.
                let chosen = options.iter().filter(|(name, value)| {
                    offers.iter().any(|offer| offer.name == *name && offer.accepts(value))
                });
                let chosen: Vec<String> = chosen.map(|(name, value)| uci::set_option(name, value)).collect();
                for line in chosen.iter().chain(&setup) {
                    process.send(line).map_err(failed)?;
                }
                ask(&mut process, uci::IS_READY, &uci::Reply::Ready).map_err(failed)?;
                process.send(analysis::GO_INFINITE).map_err(failed)?;
                searching = Some((number, count()));
            }
            None if searching.is_some() => {
                let line = process.next_line(Instant::now() + POLL_INTERVAL).map_err(failed)?;
                let Some(line) = line else { continue };
                if let Some(found) = analysis::variation(&line.text) {
                    send(number, ExternalUpdate::Variation(found));
                } else if matches!(uci::reply(&line.text), uci::Reply::BestMove { .. }) {
                    searching = None;
                    send(number, ExternalUpdate::Ended);
                }
            }
            Some(Task::Stop) | None => {}
        }
    }
    drop(searching);
    process.quit(uci::QUIT);
    Ok(())
}

/// What the engine offers, without what the page sets another way.
fn introduce(process: &mut EngineProcess) -> Result<Vec<Offer>, Fault> {
    const SET_ELSEWHERE: [&str; 5] = [
        analysis::THREADS_OPTION,
        analysis::HASH_OPTION,
        analysis::MULTI_PV_OPTION,
        uci::CHESS960_OPTION,
        uci::PONDER_OPTION,
    ];
    let mut offers: Vec<Offer> = Vec::new();
    process.send(uci::INTRODUCE)?;
    let deadline = Instant::now() + PATIENCE;
    while let Some(line) = process.next_line(deadline)? {
        if uci::reply(&line.text) == uci::Reply::Introduced {
            return Ok(offers);
        }
        let offer = Offer::read(&line.text).filter(|offer| !SET_ELSEWHERE.contains(&offer.name.as_str()));
        offers.extend(offer.filter(|_| offers.len() < MOST_OPTIONS));
    }
    Err(Fault::Stalled { after: PATIENCE })
}

/// An option that the page can show; buttons and texts are not offered.
fn fact(offer: Offer) -> Option<OptionFact> {
    let control = match offer.control {
        Control::Check { default } => OptionControl::Check { default },
        Control::Spin { default, min, max } => OptionControl::Number { default, min, max },
        Control::Combo { default, values } => OptionControl::Choice { default, values },
        Control::Button | Control::Text => return None,
    };
    Some(OptionFact { about: offer.name.clone(), name: offer.name, control, opponent: false })
}

fn ask(process: &mut EngineProcess, command: &str, expected: &uci::Reply) -> Result<(), Fault> {
    process.send(command)?;
    wait_for(process, |reply| reply == expected)
}

fn wait_for(process: &mut EngineProcess, is_expected: impl Fn(&uci::Reply) -> bool) -> Result<(), Fault> {
    let deadline = Instant::now() + PATIENCE;
    while let Some(line) = process.next_line(deadline)? {
        if is_expected(&uci::reply(&line.text)) {
            return Ok(());
        }
    }
    Err(Fault::Stalled { after: PATIENCE })
}
