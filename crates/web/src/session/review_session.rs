//! The review of a whole game: every position for the same number of nodes, then labels and accuracy.

use super::context::SessionContext;
use super::engine_handle::EngineHandle;
use crate::accuracy;
use crate::describe;
use crate::messages::{Event, Review, ReviewedMove, SideReview, Worth};
use crate::problem::Problem;
use crate::session_input::SearchOwner;
use chess::{Game, Move};
use engine::{Information, Report, Request};
use kernel::{Bound, Limits};

const HASH: u32 = 32;
const LONGEST_LINE: usize = 8;
/// A loss counts at most 10 pawns, so that a missed mate does not outweigh all other moves.
const WORST: i32 = 1000;

pub struct ReviewSession {
    engine: EngineHandle,
    game: Game,
    kilonodes: u32,
    number: u32,
    found: Option<Information>,
    evaluated: Vec<Evaluated>,
}

/// The evaluation of one position.
struct Evaluated {
    worth: Worth,
    win: f64,
    line: Vec<Move>,
}

impl ReviewSession {
    pub fn new(game: Game, kilonodes: u32, context: &SessionContext) -> Result<ReviewSession, Problem> {
        let mut engine =
            EngineHandle::new(SearchOwner::Review, HASH.min(context.shared.machine.hash_megabytes), context)?;
        engine.set("UCI_AnalyseMode", "true")?;
        Ok(ReviewSession { engine, game, kilonodes, number: 0, found: None, evaluated: Vec::new() })
    }

    pub fn interrupt(&self) {
        self.engine.interrupt();
    }

    pub fn start(&mut self) -> Event {
        self.continue_review()
    }

    pub fn handle_report(&mut self, number: u32, report: Report) -> Option<Event> {
        if number != self.number {
            return None;
        }
        match report {
            Report::Information(found) => {
                if found.bound == Bound::Exact && found.rank == 1 {
                    self.found = Some(found);
                }
                None
            }
            Report::Remark(_) => None,
            Report::Best { .. } => {
                let turn = self.game.positions()[self.evaluated.len()].turn();
                let evaluated = match self.found.take() {
                    Some(found) => {
                        let worth = describe::worth(found.score, turn);
                        Evaluated { worth, win: accuracy::win_percent(worth), line: found.line }
                    }
                    // Too few nodes for a score: equal.
                    None => Evaluated { worth: Worth::Centipawns(0), win: 50.0, line: Vec::new() },
                };
                self.evaluated.push(evaluated);
                Some(self.continue_review())
            }
        }
    }

    /// Starts on the next position; returns what is known so far.
    fn continue_review(&mut self) -> Event {
        while let Some(position) = self.game.positions().get(self.evaluated.len()) {
            if position.is_checkmate() {
                let win = if position.turn().is_white() { 0.0 } else { 100.0 };
                self.evaluated.push(Evaluated { worth: Worth::Mate(0), win, line: Vec::new() });
            } else if position.is_stalemate() || position.is_insufficient_material() {
                self.evaluated.push(Evaluated { worth: Worth::Centipawns(0), win: 50.0, line: Vec::new() });
            } else {
                break;
            }
        }
        if self.evaluated.len() < self.game.positions().len() {
            let mut game = Game::new(self.game.start().clone());
            for &mv in &self.game.moves()[..self.evaluated.len()] {
                if game.play(mv).is_err() {
                    break;
                }
            }
            let limits = Limits::nodes(u64::from(self.kilonodes) * 1000);
            self.number = self.engine.go(game, Request::new(limits));
        }
        Event::Reviewed { review: Box::new(self.review()) }
    }

    fn review(&self) -> Review {
        let wins: Vec<f64> = self.evaluated.iter().map(|seen| seen.win).collect();
        let moves: Vec<ReviewedMove> = (0..self.evaluated.len()).map(|index| self.reviewed(index)).collect();
        let finished = self.evaluated.len() == self.game.positions().len();
        let white_first = self.game.start().turn().is_white();
        let side = |white: bool| side_review(&moves, &wins, white, white_first, finished);
        Review {
            total: self.game.positions().len() as u32,
            white: side(true),
            black: side(false),
            moves,
            finished,
        }
    }

    fn reviewed(&self, index: usize) -> ReviewedMove {
        let seen = &self.evaluated[index];
        let Some(before) = index.checked_sub(1) else {
            return ReviewedMove {
                worth: seen.worth,
                win: seen.win,
                label: None,
                best: None,
                best_line: Vec::new(),
                accuracy: None,
            };
        };
        let position = &self.game.positions()[before];
        let played = self.game.moves()[before];
        let mover = |win: f64| if position.turn().is_white() { win } else { 100.0 - win };
        let (chances_before, chances_after) = (mover(self.evaluated[before].win), mover(seen.win));
        let best = self.evaluated[before].line.first().copied().filter(|best| *best != played);
        let label = best.and_then(|_| accuracy::label(chances_before - chances_after));
        let better =
            best.map(|_| describe::notation(position, &self.evaluated[before].line, LONGEST_LINE).san);
        ReviewedMove {
            worth: seen.worth,
            win: seen.win,
            label,
            best: better.as_ref().and_then(|line| line.first().cloned()),
            best_line: better.unwrap_or_default(),
            accuracy: Some(accuracy::move_accuracy(chances_before, chances_after)),
        }
    }
}

fn side_review(
    moves: &[ReviewedMove],
    wins: &[f64],
    white: bool,
    white_first: bool,
    finished: bool,
) -> SideReview {
    use crate::messages::Label;
    let own = |index: usize| index > 0 && ((index % 2 == 1) == (white == white_first));
    let count = |label| {
        moves.iter().enumerate().filter(|(index, mv)| own(*index) && mv.label == Some(label)).count() as u32
    };
    let losses: Vec<f64> = (1..moves.len())
        .filter(|index| own(*index))
        .map(|index| {
            let change = centipawns(&moves[index]) - centipawns(&moves[index - 1]);
            f64::from(if white { -change } else { change }.max(0))
        })
        .collect();
    let mean = losses.iter().sum::<f64>() / losses.len().max(1) as f64;
    SideReview {
        accuracy: if finished { accuracy::game_accuracy(wins, white, white_first) } else { None },
        inaccuracies: count(Label::Inaccuracy),
        mistakes: count(Label::Mistake),
        blunders: count(Label::Blunder),
        loss: (!losses.is_empty()).then_some(mean),
    }
}

fn centipawns(seen: &ReviewedMove) -> i32 {
    match seen.worth {
        Worth::Centipawns(value) => value.clamp(-WORST, WORST),
        // A checkmate has no sign; the win chance tells who gave it.
        Worth::Mate(_) | Worth::Table(_) => {
            if seen.win > 50.0 {
                WORST
            } else {
                -WORST
            }
        }
    }
}
