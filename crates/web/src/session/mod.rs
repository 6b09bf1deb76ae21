//! The session of one tab. A thread of its own takes commands and the engines' reports in turn, so nothing here needs a
//! lock; when its socket closes, the thread ends and its searches with it.

mod analysis_session;
mod context;
mod engine_handle;
mod explorer;
#[cfg_attr(target_family = "wasm", path = "external_absent.rs")]
mod external_analysis;
pub mod game;
mod human_model;
mod laser_session;
mod review_session;
#[cfg(test)]
pub(crate) mod tests;

use crate::describe;
use crate::limits;
use crate::messages::{AnalysisSettings, Command, Event, Slot};
use crate::problem::Problem;
use crate::session_input::{CoachUpdate, LaserUpdate, SearchId, SearchOwner, SessionInput};
use crate::shared::Shared;

use analysis_session::AnalysisSession;
use context::SessionContext;
use engine::Report;
use external_analysis::ExternalAnalysis;
use game::{GameChange, GameSession};
use human_model::CoachSession;
use laser_session::LaserSession;
use review_session::ReviewSession;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

/// Where events go.
pub trait EventSink: Send {
    /// Waits for a slow page.
    fn send(&self, event: Event);
    /// Drops the event when the page is slow: for reports of a running search, which the next one replaces.
    fn offer(&self, event: Event);
}

pub struct TabSession {
    context: SessionContext,
    sink: Box<dyn EventSink>,
    game: Option<GameSession>,
    analyses: [Option<AnalysisSession>; 2],
    external: [Option<ExternalAnalysis>; 2],
    review: Option<ReviewSession>,
    coach: Option<CoachSession>,
    /// Coach reports asked for so far.
    coach_requests: u32,
    laser: Option<LaserSession>,
}

/// Games of the archive that the page lists at once.
const LISTED: u32 = 200;

impl TabSession {
    pub fn new(shared: Arc<Shared>, inputs: Sender<SessionInput>, sink: Box<dyn EventSink>) -> TabSession {
        let tab = shared.next_tab();
        TabSession {
            context: SessionContext { shared, tab, inputs },
            sink,
            game: None,
            analyses: [None, None],
            external: [None, None],
            review: None,
            coach: None,
            coach_requests: 0,
            laser: None,
        }
    }

    /// What the page is told first.
    pub fn welcome(&self) {
        self.sink.send(Event::Welcome {
            engine: engine_handle::engine_facts(self.context.shared.machine, &self.context.shared.engines),
        });
    }

    /// Until the socket closes.
    pub fn run(mut self, inputs: &Receiver<SessionInput>) {
        self.welcome();
        loop {
            let now = Instant::now();
            let input = match self.deadline() {
                Some(deadline) => match inputs.recv_timeout(deadline.saturating_duration_since(now)) {
                    Ok(input) => Some(input),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                },
                None => match inputs.recv() {
                    Ok(input) => Some(input),
                    Err(_) => break,
                },
            };
            match input {
                Some(SessionInput::Closed) => break,
                Some(input) => self.handle(input),
                None => {}
            }
            self.handle_deadlines(Instant::now());
        }
        self.leave_game();
    }

    /// When something happens without an input: a flag falls, a move is due, collected lines are sent.
    pub fn deadline(&self) -> Option<Instant> {
        let game = self.game.as_ref().and_then(GameSession::deadline);
        let analyses = self.analyses.iter().flatten().filter_map(AnalysisSession::deadline).min();
        let external = self.external.iter().flatten().filter_map(ExternalAnalysis::deadline).min();
        [game, analyses, external].into_iter().flatten().min()
    }

    pub fn handle_deadlines(&mut self, now: Instant) {
        if let Some(game) = &mut self.game {
            let change = game.handle_deadlines(now);
            self.publish(change);
        }
        self.send_collected(now);
    }

    /// Sends lines of analyses that are due.
    pub fn send_collected(&mut self, now: Instant) {
        for analysis in self.analyses.iter_mut().flatten() {
            if let Some(event) = analysis.handle_deadline(now) {
                self.sink.offer(event);
            }
        }
        for analysis in self.external.iter_mut().flatten() {
            if let Some(event) = analysis.handle_deadline(now) {
                self.sink.offer(event);
            }
        }
    }

    /// Asks searches to end that run on the thread of the session: analyses, or all.
    pub fn interrupt(&self, all: bool) {
        self.analyses.iter().flatten().for_each(AnalysisSession::interrupt);
        self.laser.iter().filter(|laser| all || laser.is_analysing()).for_each(LaserSession::interrupt);
        if all {
            self.game.iter().for_each(GameSession::interrupt);
            self.review.iter().for_each(ReviewSession::interrupt);
            self.coach.iter().for_each(CoachSession::interrupt);
            self.context.shared.reviewer.interrupt();
        }
    }

    /// Whether this is the last report of an analysis that was interrupted and is still wanted.
    pub fn may_resume(&self, report: &SessionInput) -> bool {
        match report {
            SessionInput::Search {
                search: SearchId { owner: SearchOwner::Analysis(slot), number },
                report: Report::Best { .. },
            } => self.analyses[slot.index()].as_ref().is_some_and(|analysis| analysis.may_resume(*number)),
            SessionInput::Laser(LaserUpdate::Best { number, .. }) => {
                self.laser.as_ref().is_some_and(|laser| laser.may_resume(*number))
            }
            _ => false,
        }
    }

    /// Takes up the analysis whose last report this is, if it is still wanted.
    pub fn resume(&mut self, report: &SessionInput) {
        if !self.may_resume(report) {
            return;
        }
        if let SessionInput::Search { search: SearchId { owner: SearchOwner::Analysis(slot), .. }, .. } =
            report
        {
            self.analyses[slot.index()].iter_mut().for_each(AnalysisSession::resume);
        } else if let Some(Err(problem)) = self.laser.as_mut().map(LaserSession::continue_play) {
            self.sink.send(problem.into());
        }
    }

    pub fn handle(&mut self, input: SessionInput) {
        match input {
            SessionInput::Command(command) => {
                if let Err(problem) = self.execute(command) {
                    self.sink.send(problem.into());
                }
            }
            SessionInput::Malformed => {
                let problem =
                    Problem::new("The page sent a message this program does not know.", "Reload the page.");
                self.sink.send(problem.into());
            }
            SessionInput::Search { search, report } => self.handle_report(search, report),
            SessionInput::Laser(update) => {
                if let Some(event) = self.laser.as_mut().and_then(|laser| laser.handle(update)) {
                    match event {
                        Event::LaserAnalysis { .. } => self.sink.offer(event),
                        event => self.sink.send(event),
                    }
                }
            }
            SessionInput::External { slot, number, update } => {
                let analysis = &mut self.external[slot.index()];
                match analysis.as_mut().map(|one| one.handle_update(number, update)) {
                    Some(Ok(Some(event))) => self.sink.send(event),
                    Some(Err(problem)) => {
                        // The next analysis starts the engine anew.
                        *analysis = None;
                        self.sink.send(problem.into());
                    }
                    Some(Ok(None)) | None => {}
                }
            }
            SessionInput::Coach { number, update } => self.handle_coach(number, update),
            SessionInput::GameClaimed { game } => {
                if self.game.as_ref().is_some_and(|session| session.id() == game) {
                    self.game = None;
                    self.sink.send(Event::GameElsewhere { id: game });
                }
            }
            SessionInput::Closed => {}
        }
    }

    fn handle_report(&mut self, search: SearchId, report: Report) {
        match search.owner {
            SearchOwner::Game => {
                if let Some(game) = &mut self.game {
                    let change = game.handle_report(search.number, report);
                    self.publish(change);
                }
            }
            SearchOwner::Analysis(slot) => {
                if let Some(analysis) = &mut self.analyses[slot.index()] {
                    analysis.handle_report(search.number, report);
                }
            }
            SearchOwner::Review => {
                let event =
                    self.review.as_mut().and_then(|review| review.handle_report(search.number, report));
                if let Some(event) = event {
                    self.sink.send(event);
                }
            }
        }
    }

    fn execute(&mut self, command: Command) -> Result<(), Problem> {
        match command {
            Command::NewGame { settings } => {
                let game = GameSession::new(settings, &self.context)?;
                self.enter_game(game);
            }
            Command::OpenGame { id } => {
                let game = GameSession::reopen(id, &self.context)?;
                self.enter_game(game);
            }
            Command::LeaveGame => self.leave_game(),
            Command::Move { .. }
            | Command::TakeBack
            | Command::Resign
            | Command::OfferDraw
            | Command::SwitchSides
            | Command::Hint => {
                let Some(game) = &mut self.game else {
                    return Err(Problem::new("There is no game at this board.", "Start a new game."));
                };
                let change = game.execute(&command)?;
                self.publish(change);
            }
            Command::ListGames { search } => self.list_games(&search)?,
            Command::DeleteGame { id } => {
                if self.game.as_ref().is_some_and(|game| game.id() == id) {
                    self.leave_game();
                }
                self.context.shared.archive.delete(id)?;
            }
            Command::ExportGame { id } => {
                let (name, pgn) = game::export(id, &self.context.shared)?;
                self.sink.send(Event::Exported { name, pgn });
            }
            Command::Describe { request, line, from } => {
                let event = match describe::play(&line) {
                    Ok(played) => {
                        let from = (from as usize).min(played.len());
                        let nodes = played.nodes(from, &self.context.shared.openings);
                        Event::Described { request, from: from as u32, nodes }
                    }
                    Err(problem) => Event::Undescribed { request, problem: problem.what },
                };
                self.sink.send(event);
            }
            Command::Analyse { slot, line, settings, threat } => {
                let game = describe::game(&line)?;
                let game = if threat { describe::passed(&game)? } else { game };
                self.analyse(slot, game, &settings, threat)?;
            }
            Command::StopAnalysis { slot } => {
                let own = self.analyses[slot.index()].as_mut().and_then(AnalysisSession::stop);
                let external = self.external[slot.index()].as_mut().and_then(ExternalAnalysis::stop);
                for event in [own, external].into_iter().flatten() {
                    self.sink.send(event);
                }
            }
            Command::Review { line, kilonodes } => {
                let game = describe::game(&line)?;
                let kilonodes = kilonodes.clamp(1, limits::KILONODES);
                let mut review = ReviewSession::new(game, kilonodes, &self.context)?;
                self.sink.send(review.start());
                self.review = Some(review);
            }
            Command::StopReview => self.review = None,
            Command::People { line, rating } => {
                let event = human_model::replies(&describe::game(&line)?, rating)?;
                self.sink.send(event);
            }
            Command::Explore { line } => {
                let event = explorer::explore(&describe::game(&line)?, &self.context)?;
                self.sink.send(event);
            }
            Command::Coach { line, rating, kilonodes } => {
                let game = describe::game(&line)?;
                let kilonodes = kilonodes.clamp(1, limits::COACH_KILONODES);
                // The last one stops before the next starts.
                self.coach = None;
                self.coach_requests += 1;
                self.coach =
                    Some(CoachSession::start(self.coach_requests, &game, rating, kilonodes, &self.context)?);
            }
            Command::StopCoach => self.coach = None,
            Command::LaserNew { black, milliseconds, fen, moves } => {
                let mut laser =
                    LaserSession::new(black, milliseconds, fen.as_deref(), &moves, &self.context)?;
                laser.continue_play()?;
                self.sink.send(laser.event());
                self.laser = Some(laser);
            }
            Command::LaserMove { .. } | Command::LaserTakeBack | Command::LaserAnalyse { .. } => {
                let Some(laser) = &mut self.laser else {
                    return Err(Problem::new(
                        "There is no Leiserchess game at this board.",
                        "Start a new game.",
                    ));
                };
                laser.execute(&command)?;
                self.sink.send(laser.event());
            }
            Command::ListExperiments => {
                #[cfg(not(target_family = "wasm"))]
                {
                    let (experiments, place) = self.context.shared.experiments.list();
                    self.sink.send(Event::Experiments { experiments, place });
                }
                #[cfg(target_family = "wasm")]
                return Err(Problem::new(
                    "A page without a server has no experiments.",
                    "Install the program to run them.",
                ));
            }
        }
        Ok(())
    }

    /// One engine at a time searches for a slot; another position keeps the engine.
    fn analyse(
        &mut self,
        slot: Slot,
        game: chess::Game,
        settings: &AnalysisSettings,
        threat: bool,
    ) -> Result<(), Problem> {
        let machine = self.context.shared.machine;
        let (own, external) = (&mut self.analyses[slot.index()], &mut self.external[slot.index()]);
        let Some(name) = &settings.engine else {
            *external = None;
            let analysis = match own.take() {
                Some(analysis) => analysis,
                None => AnalysisSession::new(slot, &self.context)?,
            };
            return own.insert(analysis).start(game, settings, threat, machine);
        };
        *own = None;
        let analysis = match external.take() {
            Some(analysis) if analysis.name() == name => analysis,
            other => {
                // The other engine is gone before the next one starts.
                drop(other);
                ExternalAnalysis::new(slot, name, &self.context)?
            }
        };
        external.insert(analysis).start(&game, settings, threat, machine);
        Ok(())
    }

    fn handle_coach(&mut self, number: u32, update: CoachUpdate) {
        if !self.coach.as_ref().is_some_and(|coach| coach.is_current(number)) {
            return;
        }
        match update {
            CoachUpdate::Progress { done, total } => self.sink.offer(Event::Coaching { done, total }),
            CoachUpdate::Done(report) => {
                self.coach = None;
                self.sink.send(Event::Coached { report });
            }
            CoachUpdate::Failed(why) => {
                self.coach = None;
                let problem = Problem::new(format!("The coach: {why}."), "Choose another game.");
                self.sink.send(problem.into());
            }
        }
    }

    fn list_games(&mut self, search: &str) -> Result<(), Problem> {
        let search: String = search.chars().take(limits::WORDS).collect();
        let (games, total) = self.context.shared.archive.list(&search, LISTED)?;
        let games = games.iter().map(game::summary).collect();
        self.sink.send(Event::Games { games, total });
        Ok(())
    }

    fn enter_game(&mut self, game: GameSession) {
        self.leave_game();
        self.context.shared.claim_game(game.id(), self.context.tab, &self.context.inputs);
        let game = self.game.insert(game);
        let change = game.start();
        self.publish(change);
    }

    fn leave_game(&mut self) {
        if let Some(mut game) = self.game.take() {
            let shared = &self.context.shared;
            // Clocks stop here; the moves were saved when they were played.
            if game.pause(Instant::now()) && shared.owns_game(game.id(), self.context.tab) {
                let _ = shared.archive.update(game.id(), &game.record(&shared.openings));
            }
            shared.release_game(game.id(), self.context.tab);
        }
    }

    /// Saves the game and sends it to the page.
    fn publish(&mut self, change: GameChange) {
        let Some(game) = &mut self.game else { return };
        match change {
            GameChange::None => {}
            GameChange::Event(event) => self.sink.send(event),
            GameChange::Game => {
                let shared = &self.context.shared;
                let saved = shared.archive.update(game.id(), &game.record(&shared.openings));
                self.sink.send(game.event(&shared.openings, Instant::now()));
                if let Err(error) = saved {
                    self.sink.send(Problem::from(error).into());
                }
            }
        }
    }
}
