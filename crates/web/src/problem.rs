//! What went wrong, in a sentence, and what to do next.

use crate::messages::Event;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub what: String,
    pub next: &'static str,
}

impl Problem {
    #[allow(clippy::needless_pass_by_value)] // so that texts and errors fit as they are
    pub fn new(what: impl ToString, next: &'static str) -> Problem {
        Problem { what: what.to_string(), next }
    }
}

impl From<Problem> for Event {
    fn from(problem: Problem) -> Event {
        Event::Problem { what: problem.what, next: problem.next.to_string() }
    }
}
