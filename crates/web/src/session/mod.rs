//! One board: what a tab has open. A thread of its own takes commands and the engines' reports in turn, so nothing here
//! needs a lock; when its socket closes, the thread ends and its searches with it.

mod analysis;
mod engines;
mod laser;
mod people;
mod play;
mod review;
#[cfg(test)]
mod tests;

pub use engines::facts;

use crate::describe;
use crate::limits;
use crate::messages::{Command, Event, Slot};
use crate::problem::Problem;
use crate::shared::Shared;
use analysis::Analyst;
use engine::Report;
use laser::LaserTable;
use people::{CoachNote, Coaching};
use play::Table;
use review::Reviewer;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// What a board hears.
pub enum Note {
    Command(Command),
    /// Words that were no command.
    Unclear,
    Search {
        search: Search,
        report: Report,
    },
    Laser(laser::LaserNote),
    Coach {
        number: u32,
        note: CoachNote,
    },
    /// Another board sat down at this game.
    SeatTaken {
        game: u32,
    },
    Closed,
}

/// Who searched, and which of its searches: reports of an abandoned one are not mistaken for the present one's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    pub who: Who,
    pub number: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    Play,
    Analysis(Slot),
    Review,
}

/// Where events go. Answers wait for a slow page; reports of a running search are dropped rather than piled up.
pub trait Outlet: Send {
    fn send(&self, event: Event);
    fn offer(&self, event: Event);
}

pub struct Session {
    pub(crate) shared: Arc<Shared>,
    pub(crate) board: u32,
    pub(crate) notes: Sender<Note>,
    outlet: Box<dyn Outlet>,
    table: Option<Table>,
    analysts: [Option<Analyst>; 2],
    reviewer: Option<Reviewer>,
    coaching: Option<Coaching>,
    coachings: u32,
    laser: Option<LaserTable>,
}

/// Games of the archive that the page lists at once.
const LISTED: u32 = 200;

impl Session {
    pub fn new(shared: Arc<Shared>, notes: Sender<Note>, outlet: Box<dyn Outlet>) -> Session {
        let board = shared.next_board();
        Session {
            shared,
            board,
            notes,
            outlet,
            table: None,
            analysts: [None, None],
            reviewer: None,
            coaching: None,
            coachings: 0,
            laser: None,
        }
    }

    /// Until the socket closes.
    pub fn run(mut self, notes: &Receiver<Note>) {
        self.outlet.send(Event::Welcome { engine: facts(self.shared.machine) });
        loop {
            let now = Instant::now();
            let note = match self.deadline() {
                Some(deadline) => match notes.recv_timeout(deadline.saturating_duration_since(now)) {
                    Ok(note) => Some(note),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                },
                None => match notes.recv() {
                    Ok(note) => Some(note),
                    Err(_) => break,
                },
            };
            match note {
                Some(Note::Closed) => break,
                Some(note) => self.hear(note),
                None => {}
            }
            self.tick(Instant::now());
        }
        self.leave_table();
    }

    /// When something happens by itself: a flag falls, a move is due, gathered lines are told.
    fn deadline(&self) -> Option<Instant> {
        let table = self.table.as_ref().and_then(Table::deadline);
        let analysts = self.analysts.iter().flatten().filter_map(Analyst::deadline).min();
        [table, analysts].into_iter().flatten().min()
    }

    fn tick(&mut self, now: Instant) {
        if let Some(table) = &mut self.table {
            let changed = table.tick(now);
            self.after_table(changed);
        }
        for analyst in self.analysts.iter_mut().flatten() {
            if let Some(event) = analyst.tick(now) {
                self.outlet.offer(event);
            }
        }
    }

    fn hear(&mut self, note: Note) {
        match note {
            Note::Command(command) => {
                if let Err(problem) = self.obey(command) {
                    self.outlet.send(problem.into());
                }
            }
            Note::Unclear => {
                let problem = Problem::new(
                    "The page sent something this program does not understand.",
                    "Reload the page.",
                );
                self.outlet.send(problem.into());
            }
            Note::Search { search, report } => self.report(search, report),
            Note::Laser(note) => {
                if let Some(event) = self.laser.as_mut().and_then(|table| table.hear(note)) {
                    match event {
                        Event::LaserAnalysis { .. } => self.outlet.offer(event),
                        event => self.outlet.send(event),
                    }
                }
            }
            Note::Coach { number, note } => self.coached(number, note),
            Note::SeatTaken { game } => {
                if self.table.as_ref().is_some_and(|table| table.id() == game) {
                    self.table = None;
                    self.outlet.send(Event::GameElsewhere { id: game });
                }
            }
            Note::Closed => {}
        }
    }

    fn report(&mut self, search: Search, report: Report) {
        match search.who {
            Who::Play => {
                if let Some(table) = &mut self.table {
                    let changed = table.report(search.number, report);
                    self.after_table(changed);
                }
            }
            Who::Analysis(slot) => {
                if let Some(analyst) = &mut self.analysts[slot.index()] {
                    analyst.report(search.number, report);
                }
            }
            Who::Review => {
                if let Some(event) = self.reviewer.as_mut().and_then(|one| one.report(search.number, report))
                {
                    self.outlet.send(event);
                }
            }
        }
    }

    fn obey(&mut self, command: Command) -> Result<(), Problem> {
        match command {
            Command::NewGame { settings } => {
                let table = Table::new(settings, self)?;
                self.sit_down(table);
            }
            Command::OpenGame { id } => {
                let table = Table::reopen(id, self)?;
                self.sit_down(table);
            }
            Command::LeaveGame => self.leave_table(),
            Command::Move { .. }
            | Command::TakeBack
            | Command::Resign
            | Command::OfferDraw
            | Command::SwitchSides
            | Command::Hint => {
                let Some(table) = &mut self.table else {
                    return Err(Problem::new("There is no game at this board.", "Start a new game."));
                };
                let changed = table.obey(&command)?;
                self.after_table(changed);
            }
            Command::ListGames { search } => self.list_games(&search)?,
            Command::DeleteGame { id } => {
                if self.table.as_ref().is_some_and(|table| table.id() == id) {
                    self.leave_table();
                }
                self.shared.archive.delete(id).map_err(trouble_with_archive)?;
            }
            Command::ExportGame { id } => {
                let (name, pgn) = play::export(id, &self.shared)?;
                self.outlet.send(Event::Exported { name, pgn });
            }
            Command::Describe { request, line, from } => {
                let event = match describe::game(&line) {
                    Ok(game) => {
                        let from = (from as usize).min(game.moves().len());
                        let nodes = describe::nodes(&game, from, &self.shared.openings);
                        Event::Described { request, from: from as u32, nodes }
                    }
                    Err(problem) => Event::Undescribed { request, problem: problem.what },
                };
                self.outlet.send(event);
            }
            Command::Analyse { slot, line, settings, threat } => {
                let game = describe::game(&line)?;
                let analyst = match self.analysts[slot.index()].take() {
                    Some(analyst) => analyst,
                    None => Analyst::new(slot, self)?,
                };
                let analyst = self.analysts[slot.index()].insert(analyst);
                analyst.start(game, &settings, threat, self.shared.machine)?;
            }
            Command::StopAnalysis { slot } => {
                if let Some(event) = self.analysts[slot.index()].as_mut().and_then(Analyst::stop) {
                    self.outlet.send(event);
                }
            }
            Command::Review { line, kilonodes } => {
                let game = describe::game(&line)?;
                let kilonodes = kilonodes.clamp(1, limits::KILONODES);
                let mut reviewer = Reviewer::new(game, kilonodes, self)?;
                self.outlet.send(reviewer.begin());
                self.reviewer = Some(reviewer);
            }
            Command::StopReview => self.reviewer = None,
            Command::People { line, rating } => {
                let event = people::replies(&describe::game(&line)?, rating)?;
                self.outlet.send(event);
            }
            Command::Coach { line, rating, kilonodes } => {
                let game = describe::game(&line)?;
                let kilonodes = kilonodes.clamp(1, limits::COACH_KILONODES);
                // The last one stops before the next begins.
                self.coaching = None;
                self.coachings += 1;
                self.coaching = Some(Coaching::begin(self.coachings, &game, rating, kilonodes, self)?);
            }
            Command::StopCoach => self.coaching = None,
            Command::LaserNew { black, milliseconds, fen, moves } => {
                let mut table = LaserTable::new(black, milliseconds, fen.as_deref(), &moves, self)?;
                table.go_on();
                self.outlet.send(table.event());
                self.laser = Some(table);
            }
            Command::LaserMove { .. } | Command::LaserTakeBack | Command::LaserAnalyse { .. } => {
                let Some(table) = &mut self.laser else {
                    return Err(Problem::new(
                        "There is no Leiserchess game at this board.",
                        "Start a new game.",
                    ));
                };
                table.obey(&command)?;
                self.outlet.send(table.event());
            }
            Command::ListExperiments => {
                let (experiments, place) = self.shared.laboratory.list();
                self.outlet.send(Event::Experiments { experiments, place });
            }
        }
        Ok(())
    }

    fn coached(&mut self, number: u32, note: CoachNote) {
        if !self.coaching.as_ref().is_some_and(|coaching| coaching.is_current(number)) {
            return;
        }
        match note {
            CoachNote::Progress { done, total } => self.outlet.offer(Event::Coaching { done, total }),
            CoachNote::Done(report) => {
                self.coaching = None;
                self.outlet.send(Event::Coached { report });
            }
            CoachNote::Failed(why) => {
                self.coaching = None;
                let problem = Problem::new(format!("The coach: {why}."), "Choose another game.");
                self.outlet.send(problem.into());
            }
        }
    }

    fn list_games(&mut self, search: &str) -> Result<(), Problem> {
        let search: String = search.chars().take(limits::WORDS).collect();
        let (entries, total) = self.shared.archive.list(&search, LISTED).map_err(trouble_with_archive)?;
        let games = entries.iter().map(play::summary).collect();
        self.outlet.send(Event::Games { games, total });
        Ok(())
    }

    fn sit_down(&mut self, table: Table) {
        self.leave_table();
        self.shared.take_seat(table.id(), self.board, &self.notes);
        let table = self.table.insert(table);
        let changed = table.begin();
        self.after_table(changed);
    }

    fn leave_table(&mut self) {
        if let Some(mut table) = self.table.take() {
            // Clocks stop here; the moves were written when they were played.
            if table.pause(Instant::now()) && self.shared.sits(table.id(), self.board) {
                let _ = self.shared.archive.update(table.id(), &table.record(&self.shared.openings));
            }
            self.shared.leave_seat(table.id(), self.board);
        }
    }

    /// Writes the game down and tells the page.
    fn after_table(&mut self, changed: play::Changed) {
        let Some(table) = &mut self.table else { return };
        match changed {
            play::Changed::Nothing => {}
            play::Changed::Told(event) => self.outlet.send(event),
            play::Changed::Game => {
                let written = self.shared.archive.update(table.id(), &table.record(&self.shared.openings));
                self.outlet.send(table.event(&self.shared.openings, Instant::now()));
                if let Err(error) = written {
                    self.outlet.send(trouble_with_archive(error).into());
                }
            }
        }
    }
}

/// How often a running search is told about.
pub(crate) const BREATH: Duration = Duration::from_millis(100);

#[allow(clippy::needless_pass_by_value)] // so that it fits map_err
fn trouble_with_archive(error: crate::archive::ArchiveError) -> Problem {
    Problem::new(format!("Saved games cannot be reached: {error}."), "Export this game as PGN to be safe.")
}
