//! What a running search has reported so far, shared between the search thread and the session.

use super::notation;
use crate::output::Output;
use crate::session::Waker;
use chess::{Move, Position};
use engine::{Information, Listener, Report};
use kernel::{Bound, Kind, Score};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

/// What the search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    Move,
    /// On the opponent's time, after the expected reply.
    Ponder {
        expected: Move,
    },
    Analysis,
    /// Its result is no longer wanted.
    Abandoned,
}

#[derive(Debug)]
struct State {
    purpose: Purpose,
    best: Option<(Option<Move>, Option<Move>)>,
    last: Option<Information>,
}

#[derive(Clone, Debug)]
pub struct Thinking(Arc<Mutex<State>>);

impl Thinking {
    pub fn new(purpose: Purpose) -> Thinking {
        Thinking(Arc::new(Mutex::new(State { purpose, best: None, last: None })))
    }

    fn with<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn purpose(&self) -> Purpose {
        self.with(|state| state.purpose)
    }

    pub fn set_purpose(&self, purpose: Purpose) {
        self.with(|state| state.purpose = purpose);
    }

    /// The move chosen, once and only for a search that was to give one.
    pub fn take_move(&self) -> Option<(Option<Move>, Option<Move>)> {
        self.with(|state| if state.purpose == Purpose::Move { state.best.take() } else { None })
    }

    pub fn last(&self) -> Option<Information> {
        self.with(|state| state.last.clone())
    }

    /// Prints thinking lines when `post` is on, and the move when that is what the search was for. `waker` runs at the
    /// end of the search.
    pub fn listener(
        &self,
        output: Output,
        waker: Waker,
        root: Position,
        post: bool,
        chess960: bool,
    ) -> Box<Listener> {
        let thinking = self.clone();
        Box::new(move |report| match report {
            Report::Information(information) => {
                let purpose = thinking.with(|state| {
                    state.last = Some(information.clone());
                    state.purpose
                });
                if post && purpose != Purpose::Abandoned {
                    output.line(post_line(&information, &root, chess960));
                }
            }
            // Lines that begin with '#' are comments to every XBoard program.
            Report::Remark(text) => output.line(format!("# {text}")),
            Report::Best { best, ponder } => {
                let purpose = thinking.with(|state| {
                    state.best = Some((best, ponder));
                    state.purpose
                });
                if let (Purpose::Move, Some(mv)) = (purpose, best) {
                    output.line(format!("move {}", notation::write(&root, mv, chess960)));
                }
                waker();
            }
        })
    }
}

/// `ply score time nodes pv`; time in hundredths of a second, mates as 100000 and moves.
fn post_line(information: &Information, root: &Position, chess960: bool) -> String {
    let mut line = format!(
        "{} {} {} {}",
        information.depth,
        post_score(information.score),
        information.time.as_millis() / 10,
        information.nodes
    );
    let mut position = root.clone();
    for &mv in &information.line {
        if !position.is_legal(mv) {
            break;
        }
        let _ = write!(line, " {}", notation::write(&position, mv, chess960));
        position.play(mv);
    }
    match information.bound {
        Bound::Lower => line.push('!'),
        Bound::Upper => line.push('?'),
        _ => {}
    }
    line
}

fn post_score(score: Score) -> i64 {
    const MATE: i64 = 100_000;
    match score.kind() {
        Kind::MateIn(plies) => MATE + i64::from(plies.div_ceil(2)),
        Kind::MatedIn(plies) => -MATE - i64::from(plies / 2),
        _ => i64::from(score.value()),
    }
}
