//! A page without a server has no other engines: there is never an analysis by one.

use super::context::SessionContext;
use crate::limits::Machine;
use crate::messages::{AnalysisSettings, Event, Slot};
use crate::problem::Problem;
use crate::session_input::ExternalUpdate;
use chess::Game;
use std::time::Instant;

pub enum ExternalAnalysis {}

impl ExternalAnalysis {
    pub fn new(_slot: Slot, name: &str, _context: &SessionContext) -> Result<ExternalAnalysis, Problem> {
        Err(Problem::new(format!("There is no engine '{name}' in this page."), "Choose Tabiya."))
    }

    pub fn name(&self) -> &str {
        match *self {}
    }

    pub fn start(&mut self, _: &Game, _: &AnalysisSettings, _threat: bool, _: Machine) {
        match *self {}
    }

    pub fn stop(&mut self) -> Option<Event> {
        match *self {}
    }

    pub fn deadline(&self) -> Option<Instant> {
        match *self {}
    }

    pub fn handle_deadline(&mut self, _now: Instant) -> Option<Event> {
        match *self {}
    }

    pub fn handle_update(&mut self, _number: u32, _update: ExternalUpdate) -> Result<Option<Event>, Problem> {
        match *self {}
    }
}
