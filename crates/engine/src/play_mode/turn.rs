//! One turn: what `go` asks for, the trait of those who play it, and the answer it always gets.

use super::turn_search::TurnSearch;
use crate::fault::{Fault, catch};
use crate::report::{Listener, Report};
use crate::request::Request;
use chess::{Game, Move};

/// One turn, as `go` hands it over.
pub(crate) struct Turn {
    pub game: Game,
    pub request: Request,
    pub seed: u64,
}

impl Turn {
    /// A legal move without any search.
    pub fn any_move(&self) -> Option<Move> {
        let position = self.game.position();
        let asked = self.request.search_moves.iter().copied().find(|&mv| position.is_legal(mv));
        asked.or_else(|| position.legal_moves().first().copied())
    }
}

/// A way to choose a move.
pub(crate) trait Play: Send {
    /// Plays the turn: reports what it finds and gives the move to play.
    fn play(self: Box<Self>, turn: &Turn, search: &mut TurnSearch<'_>, reports: &mut Reports) -> Choice;
}

/// The move to play, and the reply to expect.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Choice {
    pub best: Option<Move>,
    pub ponder: Option<Move>,
}

/// Where a turn's reports go.
pub(crate) struct Reports {
    listener: Box<Listener>,
    is_answered: bool,
}

impl Reports {
    pub fn new(listener: Box<Listener>) -> Reports {
        Reports { listener, is_answered: false }
    }

    pub fn send(&mut self, report: Report) {
        (self.listener)(report);
    }

    /// Sends the move to play, unless it is out already.
    pub fn answer(&mut self, Choice { best, ponder }: Choice) {
        if !self.is_answered {
            self.send(Report::Best { best, ponder });
            self.is_answered = true;
        }
    }

    pub fn remark(&mut self, text: impl Into<String>) {
        self.send(Report::Remark(text.into()));
    }
}

/// Plays a turn to its end: exactly one [`Report::Best`] comes last, whatever fails. After a panic the move is any
/// legal one, and a remark says what happened. Only of a worker that fails when the move is out already is it said later.
pub(crate) fn play_turn(
    mode: Box<dyn Play>,
    turn: &Turn,
    search: &mut TurnSearch<'_>,
    reports: &mut Reports,
) {
    let played = catch("the search", || mode.play(turn, search, reports));
    if played.is_err() {
        let _ = catch("recovery", || search.pool.recover());
    }
    let fault = match &played {
        Err(fault) => Some(fault.clone()),
        Ok(_) if search.has_failed => Some(Fault::worker()),
        Ok(_) => None,
    };
    let choice = played.unwrap_or_else(|_| Choice { best: turn.any_move(), ponder: None });
    if let Some(fault) = fault {
        // A listener that panicked may do so again; the answer still goes out.
        let _ = catch("the report", || reports.remark(fault.to_string()));
    }
    let _ = catch("the report", || reports.answer(choice));
}
